/** How much one answer shows, and how long a call may look. */
export interface IdeLimits {
  /** Lines of a view. */
  readonly viewLines: number;
  /** Bytes of a view, and of a diff. */
  readonly viewBytes: number;
  /** Rows of search and select. */
  readonly rows: number;
  /** UTF-16 units of a row's preview. */
  readonly previewUnits: number;
  /** Hits that are held. */
  readonly hits: number;
  /** Milliseconds of a search. */
  readonly searchMs: number;
  /** Before-images for undo: how many, and how many bytes together. */
  readonly undoFiles: number;
  readonly undoBytes: number;
}

/** What hosts show of a file, and what has proved enough to go on with. */
export const DEFAULT_LIMITS: IdeLimits = {
  viewLines: 2_000,
  viewBytes: 50 * 1024,
  rows: 100,
  previewUnits: 1_000,
  hits: 10_000,
  searchMs: 30_000,
  undoFiles: 32,
  undoBytes: 16 * 1024 * 1024,
};
