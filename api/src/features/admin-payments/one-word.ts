import { type Filter, filterBy } from '../../models/list.ts'
import { invalid } from '../../rules/errors.ts'

/** Rows with one of some words. @throws Refusal `validation-failed` for another word */
export const oneWord = (name: string, column: string, words: readonly string[]): Filter<'text'> =>
  filterBy('text', (list, value) => {
    if (!words.includes(value)) {
      const message = `filter.${name} is invalid. Expected one of: ${words.join(', ')}.`
      throw invalid({ field: `filter.${name}`, message })
    }
    void list.where(column, value)
  })
