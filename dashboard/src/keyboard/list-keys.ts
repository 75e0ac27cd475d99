/** The keys of the list on the current screen. The list registers them while it is shown; the overview names them. */
import { screenRegistry } from './screen-registry.ts'

export interface ListKeys {
  /** Where the keys work: `In the table of domains`. */
  readonly title: string
  readonly rows: readonly {
    readonly keys: readonly string[]
    readonly text: string
    /** Whether it is a letter. The user can turn these off. */
    readonly isLetter: boolean
  }[]
}

const lists = screenRegistry<ListKeys>()

export const useListKeys = lists.useList

/** Names these keys in the overview while the component is shown. @param keys a constant */
export const useNamedKeys = lists.useItems
