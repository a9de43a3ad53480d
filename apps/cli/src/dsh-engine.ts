// `notesoup/dsh/engine`: the row `notesoup-engine` of DeepSeek Harness, where `@notesoup/dsh` is installed too.
export { apply, name } from "@notesoup/dsh/engine";
