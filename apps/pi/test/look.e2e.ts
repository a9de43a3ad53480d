import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPiSandbox, startPiRpc } from "@notesoup/host-pi";
import { startScriptedModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

/** What Pi's own renderers made of one tool call, as its export to HTML keeps it. */
interface Rendered {
  readonly callHtml: string;
  readonly resultHtmlCollapsed?: string;
  readonly resultHtmlExpanded: string;
}

const plain = (html: string | undefined): string => (html ?? "").replace(/<[^>]*>/gu, "").replaceAll("&quot;", '"');

it("shows a call by tool and address, a result by its first lines until it is expanded, and nothing that steers the terminal", async () => {
  const content = Array.from({ length: 20 }, (_, index) => `line ${index}\u001b[31m\u202e`).join("\n");
  await using model = await startScriptedModel({
    steps: [
      { toolCalls: [{ id: "write", name: "notes_write", args: { address: "@project/a\u009bb", content: "x" } }] },
      { toolCalls: [{ id: "long", name: "notes_write", args: { address: "@project/a", content } }] },
      { toolCalls: [{ id: "read", name: "notes_read", args: { address: "@project/a" } }] },
      "Done.",
    ],
  });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const rpc = await startPiRpc(sandbox, { args: extension.args() });
  await rpc.prompt("Go.");
  const outputPath = join(sandbox.root, "session.html");
  expect((await rpc.send({ type: "export_html", outputPath })).success).toBe(true);
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });

  const data = /<script id="session-data"[^>]*>(?<data>[^<]*)</u.exec(readFileSync(outputPath, "utf8"))?.groups?.[
    "data"
  ];
  const { renderedTools } = JSON.parse(Buffer.from(data ?? "", "base64").toString("utf8")) as {
    readonly renderedTools: Readonly<Record<string, Rendered>>;
  };
  const { write, read } = renderedTools;
  expect(plain(write?.callHtml)).toContain("notes_write @project/a\\u009bb");
  expect(plain(write?.resultHtmlExpanded)).toContain("error: invalid_address: ");
  expect(plain(read?.callHtml)).toContain("notes_read @project/a");
  expect(plain(read?.resultHtmlCollapsed)).toMatch(/line 6\\u001b\[31m\\u202e.*13 more lines/su);
  expect(plain(read?.resultHtmlCollapsed)).not.toContain("line 7");
  expect(plain(read?.resultHtmlExpanded)).toContain("line 19\\u001b[31m\\u202e");
});
