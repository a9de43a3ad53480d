/**
 * The most bytes of UTF-8 that a result may take, in each of its two forms: as JSON, and as the
 * text that is delivered, a host's decoration included. 32 KiB.
 */
export const OUTPUT_BUDGET_BYTES = 32_768;
