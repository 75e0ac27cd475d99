import { NEXT, PREV, wordOf } from './layout.ts'

/** Told of what happens to the entries of a zone while it goes through them. */
export interface NamesObserver {
  replaced(ref: number, by: number): void
  /** @param previous the entry before it in the list, 0 for none */
  removed(ref: number, previous: number): void
}

/**
 * The names of one zone as a list, in the order in which they came; a new state of a name stands where the
 * old one stood. The links are in the entries, so a name costs nothing here.
 */
export class ZoneNames {
  readonly number: number
  /** Labels of the zone's origin. */
  readonly originLabels: number
  /** Whether readers may have found the zone: then what is taken out waits for them. */
  isServed = false
  /** Captures under way: the names must not be given up meanwhile. */
  captures = 0
  #first = 0
  #last = 0
  #count = 0
  readonly #wordsOf: (ref: number) => Int32Array
  readonly #observers = new Set<NamesObserver>()

  constructor(number: number, originLabels: number, wordsOf: (ref: number) => Int32Array) {
    this.number = number
    this.originLabels = originLabels
    this.#wordsOf = wordsOf
  }

  /** Existing names, empty non-terminals and the apex among them. */
  get count(): number {
    return this.#count
  }

  get first(): number {
    return this.#first
  }

  after(ref: number): number {
    return this.#wordsOf(ref)[wordOf(ref) + NEXT] as number
  }

  observe(observer: NamesObserver): void {
    this.#observers.add(observer)
  }

  unobserve(observer: NamesObserver): void {
    this.#observers.delete(observer)
  }

  append(ref: number): void {
    this.#link(this.#last, ref)
    this.#link(ref, 0)
    this.#count += 1
  }

  replace(ref: number, by: number): void {
    const words = this.#wordsOf(ref)
    const [before, after] = [
      words[wordOf(ref) + PREV] as number,
      words[wordOf(ref) + NEXT] as number,
    ]
    this.#link(before, by)
    this.#link(by, after)
    for (const observer of this.#observers) observer.replaced(ref, by)
  }

  remove(ref: number): void {
    const words = this.#wordsOf(ref)
    const [before, after] = [
      words[wordOf(ref) + PREV] as number,
      words[wordOf(ref) + NEXT] as number,
    ]
    this.#link(before, after)
    this.#count -= 1
    for (const observer of this.#observers) observer.removed(ref, before)
  }

  // 0 stands for the ends of the list.
  #link(before: number, after: number): void {
    if (before === 0) this.#first = after
    else this.#wordsOf(before)[wordOf(before) + NEXT] = after
    if (after === 0) this.#last = before
    else this.#wordsOf(after)[wordOf(after) + PREV] = before
  }
}

/**
 * Goes through the entries of a zone, at leisure: each name that is there from beginning to end comes once,
 * in the state of its turn; one that is added comes at the end, one that is removed before its turn does not.
 */
export class NameCursor implements NamesObserver {
  readonly #names: ZoneNames
  #given = 0

  constructor(names: ZoneNames) {
    this.#names = names
    names.observe(this)
  }

  /** @returns the next entry, 0 when there is none now */
  next(): number {
    const ref = this.#given === 0 ? this.#names.first : this.#names.after(this.#given)
    if (ref !== 0) this.#given = ref
    return ref
  }

  /** Must be called: until then each change of the zone costs a little more. */
  close(): void {
    this.#names.unobserve(this)
  }

  replaced(ref: number, by: number): void {
    if (ref === this.#given) this.#given = by
  }

  removed(ref: number, previous: number): void {
    if (ref === this.#given) this.#given = previous
  }
}
