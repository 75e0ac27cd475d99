/** The filters of a list. The URL holds them, so that reload, links and the back button keep them. */
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useListContext } from 'react-admin'

type Filter = Readonly<Record<string, unknown>>

/** The pause in typing after which the search starts. */
const PAUSE_MS = 300

/** A requested filter, and the URL's query at that time. */
interface FilterRequest {
  readonly filter: Filter
  readonly search: string
}

const LastRequest = createContext<RefObject<FilterRequest | undefined>>({ current: undefined })

/** Remembers the requested filter of a list until the URL contains it. */
export function FilterMemory({ children }: { children: ReactNode }) {
  const { filterValues } = useListContext()
  const asked = useRef<FilterRequest>(undefined)
  useEffect(() => {
    asked.current = undefined
  }, [filterValues])
  return <LastRequest value={asked}>{children}</LastRequest>
}

function filterInUrl(shown: Filter): Filter {
  const text = new URLSearchParams(window.location.search).get('filter')
  if (text === null) return shown
  try {
    const filter: unknown = JSON.parse(text)
    return typeof filter === 'object' && filter !== null ? (filter as Filter) : shown
  } catch {
    return shown
  }
}

/**
 * The list's filter, and a function to change parts of it; undefined removes a part.
 *
 * The list follows a requested filter with a delay. A change therefore starts from the last requested
 * filter: two quick changes must not undo each other.
 */
export function useFilter() {
  const { filterValues, setFilters } = useListContext()
  const asked = useContext(LastRequest)
  const filter = filterValues as Filter
  const ask = (next: Filter) => {
    asked.current = { filter: next, search: window.location.search }
    setFilters(next)
  }
  const change = (part: Filter) => {
    const isOnItsWay = asked.current?.search === window.location.search
    const latest = isOnItsWay ? asked.current?.filter : filterInUrl(filter)
    const next = Object.entries({ ...latest, ...part }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    ask(Object.fromEntries(next))
  }
  return { filter, change, clear: () => ask({}) }
}

/** Searches when typing pauses. The back button restores the text and the list. */
export function SearchField({ label }: { label: string }) {
  const { filter, change } = useFilter()
  const asked = typeof filter['q'] === 'string' ? filter['q'] : ''
  const [text, setText] = useState(asked)
  const lastAsked = useRef(asked)
  const latestChange = useRef(change)
  const pause = useRef<number>(undefined)
  useEffect(() => {
    latestChange.current = change
  })
  useEffect(() => {
    if (lastAsked.current !== asked) {
      window.clearTimeout(pause.current)
      setText(asked)
    }
    lastAsked.current = asked
  }, [asked])
  useEffect(() => () => window.clearTimeout(pause.current), [])
  return (
    <label className="filter filter-search">
      <span>{label}</span>
      <input
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          const q = target.value.trim()
          setText(target.value)
          window.clearTimeout(pause.current)
          pause.current = window.setTimeout(() => {
            lastAsked.current = q
            latestChange.current({ q })
          }, PAUSE_MS)
        }}
      />
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly field: string
  /** The label of the option without a filter. */
  readonly all: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function Choice({ label, field, all, choices }: ChoiceProps) {
  const { filter, change } = useFilter()
  const chosen = filter[field]
  return (
    <label className="filter">
      <span>{label}</span>
      <select
        value={typeof chosen === 'string' ? chosen : ''}
        onChange={({ target }) => change({ [field]: target.value || undefined })}
      >
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The controls above a list. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className="filters" aria-label="Filters">
      {children}
    </search>
  )
}
