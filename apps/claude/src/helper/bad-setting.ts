/** A setting with which nothing can be done. */
export class BadSetting extends Error {
  readonly code: "invalid_home" | "invalid_agent";

  constructor(code: BadSetting["code"], message: string) {
    super(message);
    this.name = "BadSetting";
    this.code = code;
  }
}
