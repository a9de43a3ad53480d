import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** The variable with the base URL of the model server. */
export const MODEL_URL = "WINDOWLESS_MODEL_URL";

/** The arguments that choose the model. */
export const WINDOWLESS = ["--model", "windowless/windowless-model"];

/** An extension that offers a model whose context window has 0 tokens, which Pi's own files refuse. */
export default function windowlessModel(pi: ExtensionAPI): void {
  pi.registerProvider("windowless", {
    baseUrl: process.env[MODEL_URL] ?? "",
    apiKey: "none",
    api: "openai-completions",
    models: [
      {
        id: "windowless-model",
        name: "Windowless",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 0,
        maxTokens: 8192,
      },
    ],
  });
}
