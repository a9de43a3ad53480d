import { describe, expect, it } from "vitest";
import { countdown, remainingTokens, thresholds, usedTokensOf } from "../src/index.ts";

const K = 1_000;
const M = 1_000_000;
const unknown = undefined;

describe("the lines of a window, in tokens left above the reserve", () => {
  it.each`
    contextWindow | reserveTokens | reminder  | lastWord  | why
    ${8_192}      | ${1_024}      | ${1_792}  | ${896}    | ${"a quarter and an eighth of 7,168"}
    ${8_192}      | ${0}          | ${2_048}  | ${1_024}  | ${"no reserve"}
    ${16_384}     | ${4_096}      | ${3_072}  | ${1_536}  | ${"a quarter and an eighth of 12,288"}
    ${32_768}     | ${16_384}     | ${4_096}  | ${2_048}  | ${"a quarter and an eighth of 16,384"}
    ${65_536}     | ${16_384}     | ${12_288} | ${6_144}  | ${"a quarter and an eighth of 49,152"}
    ${114_687}    | ${16_384}     | ${24_575} | ${12_287} | ${"the largest small window"}
    ${114_688}    | ${16_384}     | ${24_576} | ${12_288} | ${"the smallest window that is not small"}
    ${128 * K}    | ${16_384}     | ${24_576} | ${12_288} | ${""}
    ${200 * K}    | ${16_384}     | ${24_576} | ${12_288} | ${""}
    ${200 * K}    | ${150 * K}    | ${12_500} | ${6_250}  | ${"it is the reserve that makes it small"}
    ${1 * M}      | ${16_384}     | ${24_576} | ${12_288} | ${""}
    ${2 * M}      | ${16_384}     | ${24_576} | ${12_288} | ${""}
    ${2 * M}      | ${0}          | ${24_576} | ${12_288} | ${""}
    ${5}          | ${0}          | ${1}      | ${0}      | ${"whole tokens"}
  `("$contextWindow with a reserve of $reserveTokens: $reminder, $lastWord, 0 $why", (row) => {
    const { contextWindow, reserveTokens, reminder, lastWord } = row;
    expect(thresholds({ contextWindow, reserveTokens })).toEqual({ reminder, lastWord, reset: 0 });
  });

  it.each`
    contextWindow | reminderMarginTokens | lastWordMarginTokens | reminder  | lastWord  | why
    ${200 * K}    | ${30 * K}            | ${10 * K}            | ${30_000} | ${10_000} | ${"as they were set"}
    ${200 * K}    | ${100 * K}           | ${100 * K}           | ${45_904} | ${22_952} | ${"at most the shares, however they were set"}
    ${200 * K}    | ${0}                 | ${0}                 | ${0}      | ${0}      | ${"turned off"}
    ${200 * K}    | ${-1}                | ${Number.NaN}        | ${24_576} | ${12_288} | ${"not numbers of tokens"}
    ${200 * K}    | ${null}              | ${unknown}           | ${24_576} | ${12_288} | ${"not set"}
  `("margins of $reminderMarginTokens and $lastWordMarginTokens: $reminder, $lastWord ($why)", (row) => {
    const { reminder, lastWord, contextWindow, reminderMarginTokens, lastWordMarginTokens } = row;
    expect(thresholds({ contextWindow, reserveTokens: 16_384, reminderMarginTokens, lastWordMarginTokens })).toEqual({
      reminder,
      lastWord,
      reset: 0,
    });
  });

  it.each`
    contextWindow               | reserveTokens | why
    ${0}                        | ${16_384}     | ${"the window is 0"}
    ${null}                     | ${16_384}     | ${"the window is unknown"}
    ${unknown}                  | ${16_384}     | ${"the window is unknown"}
    ${Number.NaN}               | ${16_384}     | ${"the window is not a number"}
    ${-200 * K}                 | ${16_384}     | ${"the window is negative"}
    ${Number.POSITIVE_INFINITY} | ${16_384}     | ${"the window is endless"}
    ${200 * K}                  | ${null}       | ${"the reserve is unknown"}
    ${200 * K}                  | ${Number.NaN} | ${"the reserve is not a number"}
    ${200 * K}                  | ${-1}         | ${"the reserve is negative"}
    ${8_192}                    | ${8_192}      | ${"the reserve takes the whole window"}
    ${8_192}                    | ${16_384}     | ${"the reserve is larger than the window"}
  `("none where $why ($contextWindow, $reserveTokens)", ({ contextWindow, reserveTokens }) => {
    expect(thresholds({ contextWindow, reserveTokens })).toBeNull();
  });
});

describe("the tokens that are left", () => {
  it.each`
    contextWindow | reserveTokens | usedTokens    | left         | why
    ${8_192}      | ${1_024}      | ${1_000}      | ${6_168}     | ${""}
    ${200 * K}    | ${16_384}     | ${150 * K}    | ${33_616}    | ${""}
    ${200 * K}    | ${16_384}     | ${0}          | ${183_616}   | ${"an empty window"}
    ${200 * K}    | ${0}          | ${199_999}    | ${1}         | ${"no reserve"}
    ${200 * K}    | ${16_384}     | ${183_615}    | ${1}         | ${"the last one"}
    ${200 * K}    | ${16_384}     | ${183_616}    | ${0}         | ${"all but the reserve is used"}
    ${200 * K}    | ${16_384}     | ${190 * K}    | ${0}         | ${"in the reserve"}
    ${200 * K}    | ${16_384}     | ${250 * K}    | ${0}         | ${"beyond the window"}
    ${8_192}      | ${16_384}     | ${100}        | ${0}         | ${"a reserve larger than the window"}
    ${2 * M}      | ${16_384}     | ${250 * K}    | ${1_733_616} | ${""}
    ${200 * K}    | ${16_384}     | ${1_000.25}   | ${182_615}   | ${"an estimate is rounded to less that is left"}
    ${200 * K}    | ${16_384}     | ${null}       | ${null}      | ${"unknown usage is not 0"}
    ${200 * K}    | ${16_384}     | ${unknown}    | ${null}      | ${"unknown usage"}
    ${200 * K}    | ${16_384}     | ${Number.NaN} | ${null}      | ${"unknown usage"}
    ${200 * K}    | ${16_384}     | ${-1}         | ${null}      | ${"unknown usage"}
    ${0}          | ${16_384}     | ${100}        | ${null}      | ${"unknown window"}
    ${null}       | ${16_384}     | ${null}       | ${null}      | ${"nothing known"}
    ${Number.NaN} | ${16_384}     | ${100}        | ${null}      | ${"unknown window"}
    ${200 * K}    | ${null}       | ${100}        | ${null}      | ${"unknown reserve"}
  `("$contextWindow, reserve $reserveTokens, used $usedTokens: $left $why", (row) => {
    const { left, contextWindow, reserveTokens, usedTokens } = row;
    expect(remainingTokens({ contextWindow, reserveTokens, usedTokens })).toBe(left);
  });
});

describe("the tokens that are used", () => {
  it.each`
    input         | cacheRead  | cacheWrite | output     | used       | why
    ${5_000}      | ${0}       | ${0}       | ${0}       | ${5_000}   | ${"no cache"}
    ${5_000}      | ${unknown} | ${unknown} | ${unknown} | ${5_000}   | ${"a provider without a cache"}
    ${12}         | ${90 * K}  | ${0}       | ${0}       | ${90_012}  | ${"most of the prompt from the cache"}
    ${12}         | ${0}       | ${90 * K}  | ${0}       | ${90_012}  | ${"most of it written to the cache"}
    ${12}         | ${80 * K}  | ${10 * K}  | ${500}     | ${90_512}  | ${"each once, and the answer"}
    ${0}          | ${90 * K}  | ${0}       | ${0}       | ${90_000}  | ${"all of it from the cache"}
    ${101_778}    | ${null}    | ${null}    | ${222}     | ${102_000} | ${"cache figures that are unknown"}
    ${null}       | ${90 * K}  | ${0}       | ${10}      | ${null}    | ${"the rest of the prompt unknown"}
    ${Number.NaN} | ${0}       | ${0}       | ${10}      | ${null}    | ${"not a number"}
    ${0}          | ${0}       | ${0}       | ${0}       | ${null}    | ${"an aborted request"}
  `("$input + $cacheRead + $cacheWrite + $output: $used ($why)", ({ used, ...usage }) => {
    expect(usedTokensOf(usage)).toBe(used);
  });
});

describe("what is said when", () => {
  // 200,000 with a reserve of 16,384: the lines are at 159,040, 171,328 and 183,616 used.
  it.each`
    contextWindow | usedTokens   | autoReset  | said                        | says          | left      | why
    ${200 * K}    | ${1_000}     | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"far away"}
    ${200 * K}    | ${159_039}   | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"one token before the line"}
    ${200 * K}    | ${159_040}   | ${true}    | ${[]}                       | ${"reminder"} | ${24_576} | ${"on the line"}
    ${200 * K}    | ${165 * K}   | ${true}    | ${["reminder"]}             | ${null}       | ${null}   | ${"once a window"}
    ${200 * K}    | ${171_328}   | ${true}    | ${["reminder"]}             | ${"lastWord"} | ${12_288} | ${"the second line"}
    ${200 * K}    | ${175 * K}   | ${true}    | ${[]}                       | ${"lastWord"} | ${8_616}  | ${"two at once: the most urgent"}
    ${200 * K}    | ${165 * K}   | ${true}    | ${["lastWord"]}             | ${null}       | ${null}   | ${"the other of the two counts as said"}
    ${200 * K}    | ${183_616}   | ${true}    | ${["reminder", "lastWord"]} | ${"reset"}    | ${0}      | ${"the last line"}
    ${200 * K}    | ${190 * K}   | ${true}    | ${[]}                       | ${"reset"}    | ${0}      | ${"all three at once"}
    ${200 * K}    | ${190 * K}   | ${true}    | ${["reset"]}                | ${null}       | ${null}   | ${"once a window"}
    ${200 * K}    | ${175 * K}   | ${true}    | ${["reset"]}                | ${null}       | ${null}   | ${"nothing after a reset that did not come"}
    ${200 * K}    | ${190 * K}   | ${unknown} | ${[]}                       | ${"reset"}    | ${0}      | ${"a reset is the default"}
    ${200 * K}    | ${190 * K}   | ${false}   | ${[]}                       | ${"lastWord"} | ${0}      | ${"no reset: the last word"}
    ${200 * K}    | ${190 * K}   | ${false}   | ${["lastWord"]}             | ${null}       | ${null}   | ${"no reset, and all is said"}
    ${200 * K}    | ${null}      | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"usage unknown"}
    ${0}          | ${190 * K}   | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"window unknown"}
    ${8_192}      | ${100}       | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"the reserve takes the whole window"}
    ${32_768}     | ${12_288}    | ${true}    | ${[]}                       | ${"reminder"} | ${4_096}  | ${"a small window: a quarter"}
    ${32_768}     | ${14_336}    | ${true}    | ${["reminder"]}             | ${"lastWord"} | ${2_048}  | ${"a small window: an eighth"}
    ${2 * M}      | ${1_959_039} | ${true}    | ${[]}                       | ${null}       | ${null}   | ${"a large window has no earlier line"}
    ${2 * M}      | ${1_959_040} | ${true}    | ${[]}                       | ${"reminder"} | ${24_576} | ${"a large window"}
  `("$usedTokens of $contextWindow, said $said: $says ($why)", (row) => {
    const { contextWindow, usedTokens, autoReset, said, says, left } = row;
    const window = { windowId: "w1", contextWindow, reserveTokens: 16_384 };
    const fingerprints = said.map((kind: string) => `${kind}/${contextWindow}/16384/w1`);
    const announcement = countdown(fingerprints, { ...window, usedTokens, autoReset });
    expect(announcement?.kind ?? null).toBe(says);
    expect(announcement?.remainingTokens ?? null).toBe(left);
  });
});
