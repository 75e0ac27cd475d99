/** The report of a benchmark: lines for people, and a JSON file for later comparison. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

export interface Row {
  /** The name of the measurement. */
  readonly what: string
  readonly value: number
  readonly unit: string
}

export interface Comparison {
  /** The row in the list of target figures. */
  readonly figure: string
  /** measured ÷ compared-with */
  readonly ratio: number
  /** As text: `≥ 4`, `≤ 2`. */
  readonly goal: string
  readonly reached: boolean
}

export const print = (line: string) => process.stdout.write(`${line}\n`)

/** A ratio that must not exceed `limit`. */
export function atMost(figure: string, ratio: number, limit: number): Comparison {
  return { figure, ratio, goal: `≤ ${limit}`, reached: ratio <= limit }
}

/** A ratio that must be at least `limit`. */
export function atLeast(figure: string, ratio: number, limit: number): Comparison {
  return { figure, ratio, goal: `≥ ${limit}`, reached: ratio >= limit }
}

export function printComparisons(comparisons: readonly Comparison[]): void {
  for (const { figure, ratio, goal, reached } of comparisons) {
    print(
      `  ${reached ? 'reached' : 'MISSED '} ${figure.padEnd(58)} ${ratio.toFixed(2).padStart(9)}   goal ${goal}`,
    )
  }
}

/** Writes figures to `bench/results/<name>.json`, with the time and the machine. */
export function writeResults(name: string, figures: object): void {
  const folder = new URL('../results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const machine = { cores: cpus().length, node: process.version }
  const at = new Date().toISOString()
  const text = JSON.stringify({ name, at, machine, ...figures }, null, 2)
  writeFileSync(new URL(`${name}.json`, folder), `${text}\n`)
}

/** Prints a benchmark's figures and writes them to `bench/results/<name>.json`. */
export function report(name: string, rows: readonly Row[], comparisons: readonly Comparison[]) {
  print(`\n${name}`)
  for (const { what, value, unit } of rows) {
    print(`  ${what.padEnd(66)} ${value.toFixed(value < 100 ? 2 : 0).padStart(9)} ${unit}`)
  }
  printComparisons(comparisons)
  writeResults(name, { rows, comparisons })
}
