import { NEXT, PREV, wordOf } from './layout.ts'

/** Observes changes of a zone's entries while it iterates over them. */
export interface NamesObserver {
  replaced(ref: number, by: number): void
  /** @param previous the entry before it in the list, 0 for none */
  removed(ref: number, previous: number): void
}

/**
 * The names of one zone as a list, in the order in which they were added; a new state of a name takes the
 * place of the old one. The links are in the entries, so a name needs no memory here.
 */
export class ZoneNames {
  readonly number: number
  /** Labels of the zone's apex. */
  readonly apexLabels: number
  /** Whether readers may have found the zone: removed entries are then kept until readers are done. */
  isServed = false
  /** The captures in progress; the names must not be discarded meanwhile. */
  captures = 0
  #first = 0
  #last = 0
  #count = 0
  readonly #wordsOf: (ref: number) => Int32Array
  readonly #observers = new Set<NamesObserver>()

  constructor(number: number, apexLabels: number, wordsOf: (ref: number) => Int32Array) {
    this.number = number
    this.apexLabels = apexLabels
    this.#wordsOf = wordsOf
  }

  /** The number of existing names, including empty non-terminals and the apex. */
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

  // 0 means an end of the list.
  #link(before: number, after: number): void {
    if (before === 0) this.#first = after
    else this.#wordsOf(before)[wordOf(before) + NEXT] = after
    if (after === 0) this.#last = before
    else this.#wordsOf(after)[wordOf(after) + PREV] = before
  }
}

/**
 * Iterates over the entries of a zone while it changes. Each name that exists all the time comes once, in its
 * state at that time. A name that is added comes at the end; one that is removed before its turn does not
 * come.
 */
export class NameCursor implements NamesObserver {
  readonly #names: ZoneNames
  #given = 0

  constructor(names: ZoneNames) {
    this.#names = names
    names.observe(this)
  }

  /** @returns the next entry, 0 when the iteration has reached the current end */
  next(): number {
    const ref = this.#given === 0 ? this.#names.first : this.#names.after(this.#given)
    if (ref !== 0) this.#given = ref
    return ref
  }

  /** Call it when done: until then each change of the zone costs a little more. */
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
