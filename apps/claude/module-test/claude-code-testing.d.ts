/** The part of the host's test kit that these tests use, in its own words. */
declare module "claude-code/testing" {
  type Answer = unknown;

  /** Stands for the host beneath the plugin. */
  type On = (name: string, ...rest: readonly unknown[]) => void;

  /** Raises the host's events. */
  interface Engine {
    readonly tool: { call(call: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> };
    readonly session: {
      start(event: object): Promise<unknown>;
      compact(event: object): Promise<Readonly<Record<string, unknown>>>;
      append(row: object): Promise<{ readonly message: { readonly content: readonly object[] } }>;
    };
    readonly prompt: {
      context(event: object): Promise<{ readonly blocks: readonly { readonly name: string; readonly text: string }[] }>;
      attachment(event: object): Promise<{ readonly text: string | null }>;
    };
    readonly classic: { PostToolBatch(event: object): Promise<{ readonly additionalContext?: readonly string[] }> };
    readonly command: { run(event: object): Promise<{ readonly text?: string }> };
  }

  interface Matchers {
    toBe(value: unknown): void;
    toEqual(value: unknown): void;
    toContain(value: unknown): void;
    toBeUndefined(): void;
    readonly not: Matchers;
  }

  export function test(name: string, body: ($: Engine, on: On) => Promise<void>): void;
  export function test(
    name: string,
    options: { readonly options: Readonly<Record<string, unknown>> },
    body: ($: Engine, on: On) => Promise<void>,
  ): void;
  export function expect(value: unknown): Matchers;
}
