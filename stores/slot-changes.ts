// Which slots a commit has to write: those taken since the last one, and those changed since they were written. What is taken and freed
// between two commits is never looked at. Off (`following` false) in a run that commits no state; then it costs a test of a flag.

export const CHANGE = {
  /** As written. */
  none: 0,
  /** Written before, changed since. */
  touched: 1,
  /** Taken since the last commit. */
  made: 2,
} as const;

/** A class for its fields at fixed places (see slot-store.ts). */
export class SlotChanges {
  following = false;
  /** By slot: how many slots were taken before it. Never used twice, so it names the slot in the durable form and orders it by arrival. */
  serial: Float64Array = new Float64Array(0);
  state: Uint8Array = new Uint8Array(0);
  nextSerial = 0;
  /** Slots touched, in any order; one that is not in state `touched` was freed since. */
  touched: Int32Array = new Int32Array(64);
  touchedCount = 0;

  /** Before the first slot is taken. */
  follow(capacity: number): void {
    this.following = true;
    this.grow(capacity);
  }

  grow(capacity: number): void {
    const serial = new Float64Array(capacity);
    const state = new Uint8Array(capacity);
    serial.set(this.serial);
    state.set(this.state);
    this.serial = serial;
    this.state = state;
  }

  make(slot: number): void {
    this.serial[slot] = this.nextSerial++;
    this.state[slot] = CHANGE.made;
  }

  touch(slot: number): void {
    if (this.state[slot] !== CHANGE.none) return;
    this.state[slot] = CHANGE.touched;
    if (this.touchedCount === this.touched.length) this.#makeRoom();
    this.touched[this.touchedCount++] = slot;
  }

  free(slot: number): void {
    this.state[slot] = CHANGE.none;
  }

  /** Everything is written. The caller has set the state of each slot back. */
  clear(): void {
    this.touchedCount = 0;
  }

  /** Between two commits far apart most of what was touched is freed again: the list would grow with the events. */
  #makeRoom(): void {
    let kept = 0;
    for (let i = 0; i < this.touchedCount; i++) {
      if (this.state[this.touched[i]] === CHANGE.touched) this.touched[kept++] = this.touched[i];
    }
    this.touchedCount = kept;
    if (kept < this.touched.length / 2) return;
    const larger = new Int32Array(this.touched.length * 2);
    larger.set(this.touched);
    this.touched = larger;
  }
}
