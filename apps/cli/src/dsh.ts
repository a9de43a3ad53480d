// `notesoup/dsh`: the row `notesoup` of DeepSeek Harness, where `@notesoup/dsh` is installed too.
export { apply, name } from "@notesoup/dsh";
