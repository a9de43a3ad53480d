import { Slices } from "../src/slices.ts";

/** Slices that are over whenever they are asked, and count how often the work went on after. */
export class CountedSlices extends Slices {
  turns = 0;

  override get isOver(): boolean {
    return true;
  }

  override next(): Promise<void> {
    this.turns++;
    return Promise.resolve();
  }
}
