import { type Static, type TObject, type TSchema, Type } from "typebox";

function exactly<Properties extends Type.TProperties>(
  properties: Properties,
  options: { readonly description?: string } = {},
): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

function wordOf<const Words extends readonly string[]>(
  words: Words,
  description?: string,
): Type.TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({
    type: "string",
    enum: words,
    ...(description === undefined ? {} : { description }),
  });
}

/** One of several schemas, written with `oneOf`: the word that every host can type for its scripts. */
function oneOf<const Schemas extends readonly TSchema[]>(
  schemas: Schemas,
  description: string,
): Type.TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({ oneOf: schemas, description });
}

/** What a host needs to offer a tool: its name, the words that the model reads, and the schema of its parameters. */
export interface IdeTool<Parameters extends TObject = TObject> {
  readonly name: string;
  /** What the tool does and when to reach for it, as the model reads it. */
  readonly description: string;
  readonly parameters: Parameters;
  /** Whether it changes files. */
  readonly writes: boolean;
}

function tool<Parameters extends TObject>(contract: IdeTool<Parameters>): IdeTool<Parameters> {
  return contract;
}

const source = "A path, or a result: unchanged, or its UUID, or one part of it as UUID#1 (item), UUID@2-5 (lines).";
const find = Type.Optional(
  Type.String({ minLength: 1, description: "With a path: the text to work on, which must occur there exactly once." }),
);

/** The contract of `read`. */
export const readTool = tool({
  name: "read",
  description:
    "Read a text file, an image, a folder or an earlier result. The answer can be passed to search, select and every edit; lines of it as UUID@12-20.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: source }),
    offset: Type.Optional(Type.Integer({ description: "First line, counted from 1; negative: counted from the end." })),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: "How many lines." })),
    view: Type.Optional(wordOf(["plain", "lines", "bytes"], "lines: with numbers; bytes: rows of 16 as hex.")),
  }),
  writes: false,
});

/** The contract of `search`. */
export const searchTool = tool({
  name: "search",
  description:
    "Find text in a folder, a file or an earlier result. All hits can be edited at once by passing the answer on; one hit is UUID#1.",
  parameters: exactly({
    query: Type.String({
      description: "Literal text; re: before a regular expression; files: before a glob of file names.",
    }),
    path: Type.Optional(
      Type.String({ minLength: 1, description: `${source} A folder too; the working folder if absent.` }),
    ),
    include: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: "Globs of files to look in." })),
    exclude: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: "Globs of files to leave out." })),
  }),
  writes: false,
});

const line = Type.Integer({ minimum: 1, description: "Counted from 1." });
const column = Type.Integer({ minimum: 0, description: "UTF-16 units, counted from 0." });
const text = Type.String({ minLength: 1 });
const other = Type.String({ minLength: 1, description: "The other result." });

/** How `select` narrows a result, or, where it says so, widens it. */
export const SelectOperationSchema = oneOf(
  [
    exactly(
      { kind: wordOf(["span"]), from: exactly({ line, col: column }), to: exactly({ line, col: column }) },
      { description: "Between two places." },
    ),
    exactly(
      { kind: wordOf(["lines"]), first: line, last: Type.Optional(line) },
      { description: "Whole lines of the file." },
    ),
    exactly(
      { kind: wordOf(["between"]), open: text, close: text, take: Type.Optional(wordOf(["inner", "outer", "lines"])) },
      { description: "Each stretch from one marker to the next other one. lines: grows to whole lines." },
    ),
    exactly(
      { kind: wordOf(["cut"]), start: Type.Integer({ minimum: 0 }), end: Type.Optional(Type.Integer({ minimum: 0 })) },
      { description: "Units of each range, counted from its start." },
    ),
    exactly(
      { kind: wordOf(["trim"]), side: Type.Optional(wordOf(["start", "end", "both"])) },
      { description: "Without white space at its ends." },
    ),
    exactly({ kind: wordOf(["split"]), at: text }, { description: "The pieces between a literal text." }),
    exactly({ kind: wordOf(["fullLines"]) }, { description: "Grows to the whole lines that it touches." }),
    exactly(
      { kind: wordOf(["edge"]), side: wordOf(["before", "after"]) },
      { description: "The position at an end, to insert at." },
    ),
    exactly({ kind: wordOf(["columns"]), from: column, to: column }, { description: "The same columns of each line." }),
    exactly(
      { kind: wordOf(["inside", "overlap", "minus", "join"]), with: other },
      {
        description:
          "inside: ranges that lie within the other's; overlap: what both cover; minus: what the other does not; join: what either covers.",
      },
    ),
  ],
  "What to take.",
);

/** How `select` works on a result. */
export type SelectOperation = Static<typeof SelectOperationSchema>;

/** The contract of `select`. */
export const selectTool = tool({
  name: "select",
  description: "Take a part of an earlier result, to edit just that.",
  parameters: exactly({ path: Type.String({ minLength: 1, description: source }), operation: SelectOperationSchema }),
  writes: false,
});

/** The contract of `replace`. */
export const replaceTool = tool({
  name: "replace",
  description:
    "Put other text in the place of a result, of each of its ranges, or of a text that occurs once in a file.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: source }),
    find,
    text: Type.String({ description: "What takes its place, literally." }),
  }),
  writes: true,
});

/** The contract of `insert`. */
export const insertTool = tool({
  name: "insert",
  description: "Put text before or after a result, or a text that occurs once in a file.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: source }),
    find,
    text: Type.String({ minLength: 1 }),
    where: wordOf(["before", "after"]),
    gap: Type.Optional(wordOf(["line", "blank"], "line: on lines of its own; blank: with an empty line between.")),
  }),
  writes: true,
});

/** The contract of `delete`. */
export const deleteTool = tool({
  name: "delete",
  description: "Remove the text of a result, or a text that occurs once in a file; with a path alone, the file itself.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: source }),
    find,
    recursive: Type.Optional(Type.Boolean({ description: "Needed for a folder." })),
  }),
  writes: true,
});

const transferParameters = exactly({
  path: Type.String({ minLength: 1, description: source }),
  find,
  to: Type.String({
    minLength: 1,
    description: "Where to: a result whose text gives way, a position, or, for a whole file, a path.",
  }),
  toFind: Type.Optional(Type.String({ minLength: 1, description: "With a path: the text there that gives way." })),
  overwrite: Type.Optional(Type.Boolean({ description: "Whether a whole file may replace another." })),
});

/** The contract of `copy`. */
export const copyTool = tool({
  name: "copy",
  description: "Copy text from a result to the place of another, or a whole file to another path.",
  parameters: transferParameters,
  writes: true,
});

/** The contract of `move`. */
export const moveTool = tool({
  name: "move",
  description: "Move text from a result to the place of another, or a whole file to another path.",
  parameters: transferParameters,
  writes: true,
});

/** The contract of `write`. */
export const writeTool = tool({
  name: "write",
  description: "Write a whole file, a new one or one that is there. Saves at once, and formats it.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: "A path, or a result that holds a whole file." }),
    content: Type.String(),
  }),
  writes: true,
});

/** The contract of `undo`. */
export const undoTool = tool({
  name: "undo",
  description: "Give a file back what it held before its last change by these tools, if nobody changed it since.",
  parameters: exactly({
    path: Type.String({ minLength: 1, description: "A path, or a result of one file." }),
    change: Type.Optional(
      Type.String({ minLength: 1, description: "last, which is meant if absent, or the result of the edit to undo." }),
    ),
  }),
  writes: true,
});

const side = oneOf(
  [Type.String({ minLength: 1, description: source }), exactly({ text: Type.String() })],
  "A path, a result, or a text.",
);

/** The contract of `diff`. */
export const diffTool = tool({
  name: "diff",
  description: "Show how two texts differ.",
  parameters: exactly({ before: side, after: side }),
  writes: false,
});

/** Every tool by its name. */
export const ideTools = {
  read: readTool,
  search: searchTool,
  select: selectTool,
  replace: replaceTool,
  insert: insertTool,
  delete: deleteTool,
  copy: copyTool,
  move: moveTool,
  write: writeTool,
  undo: undoTool,
  diff: diffTool,
} as const;

/** The name of a tool. */
export type IdeToolName = keyof typeof ideTools;

/** The arguments of a tool. */
export type IdeArguments<Name extends IdeToolName> = Static<(typeof ideTools)[Name]["parameters"]>;

const fileState = Type.String({ description: "missing, unknown, or a digest." });
const effect = wordOf(["applied", "not-applied", "unknown", "accepted"]);

/** What an edit did, file for file: the private record of its result. No text of a file is in it. */
export const EditReceiptSchema = exactly({
  operation: wordOf(["replace", "insert", "delete", "copy", "move", "write", "undo"]),
  effect,
  files: Type.Array(exactly({ path: Type.String(), before: fileState, after: fileState })),
  ranges: Type.Optional(Type.Integer({ minimum: 0 })),
  selection: Type.Optional(Type.Boolean({ description: "Whether the result stands for text; absent for a deletion." })),
});

/** What was read: the private record of its result. */
export const ReadRecordSchema = exactly({
  form: wordOf(["text", "lines", "bytes", "folder", "image"]),
  path: Type.String(),
  mime: Type.Optional(Type.String()),
});

/** What was found: the private record of its result. */
export const SearchRecordSchema = exactly({
  hits: Type.Integer({ minimum: 0 }),
  files: Type.Integer({ minimum: 0 }),
  complete: Type.Boolean(),
});

/** What was selected: the private record of its result. */
export const SelectRecordSchema = exactly({
  kind: Type.String(),
  items: Type.Integer({ minimum: 0 }),
  grown: Type.Boolean(),
});

/** What was compared: the private record of its result. */
export const DiffRecordSchema = exactly({
  before: Type.String(),
  after: Type.String(),
  added: Type.Optional(Type.Integer()),
  removed: Type.Optional(Type.Integer()),
});

/** What an edit did. */
export type EditReceipt = Static<typeof EditReceiptSchema>;

/** The schema of each tool's record. */
export const recordSchemas = {
  read: ReadRecordSchema,
  search: SearchRecordSchema,
  select: SelectRecordSchema,
  replace: EditReceiptSchema,
  insert: EditReceiptSchema,
  delete: EditReceiptSchema,
  copy: EditReceiptSchema,
  move: EditReceiptSchema,
  write: EditReceiptSchema,
  undo: EditReceiptSchema,
  diff: DiffRecordSchema,
} as const;

/** The private record of a tool's result. */
export type IdeRecord<Name extends IdeToolName = IdeToolName> = Static<(typeof recordSchemas)[Name]>;
