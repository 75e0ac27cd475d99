/** Somebody who uses a page: does what a test does, and counts clicks, typed characters and screens that must be read. */
import type { Locator } from 'playwright-core'

/** The rule by which a person's time is estimated, in seconds. */
export const TAKES = { screen: 3, click: 1, character: 0.2 } as const

export interface Step {
  readonly name: string
  /** What browser, network and service took, in milliseconds. */
  readonly machineMs: number
  readonly screens: number
  readonly clicks: number
  readonly characters: number
}

/** What a person needs for a step, in seconds: reading, clicking and typing. */
export const personSeconds = ({ screens, clicks, characters }: Step): number =>
  screens * TAKES.screen + clicks * TAKES.click + characters * TAKES.character

export class Person {
  readonly steps: Step[] = []
  #counted = { screens: 0, clicks: 0, characters: 0 }

  /** Reads a screen as soon as this part of it is shown. */
  async reads(place: Locator): Promise<void> {
    await place.waitFor()
    this.#counted.screens += 1
  }

  async clicks(place: Locator): Promise<void> {
    await place.click()
    this.#counted.clicks += 1
  }

  /** Types into a field, which takes a click to get there. */
  async types(field: Locator, text: string): Promise<void> {
    await this.clicks(field)
    await field.pressSequentially(text)
    this.#counted.characters += text.length
  }

  /** Types lines into another program. */
  typesElsewhere(...lines: readonly string[]): void {
    for (const line of lines) this.#counted.characters += line.length + 1
  }

  /** Measures what happens in a step. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    this.#counted = { screens: 0, clicks: 0, characters: 0 }
    const begun = performance.now()
    await act()
    this.steps.push({ name, machineMs: performance.now() - begun, ...this.#counted })
  }
}
