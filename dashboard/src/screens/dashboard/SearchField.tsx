import { useEffect, useRef, useState } from 'react'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'

/** The pause in typing after which the search starts. */
const TYPING_MS = 50

const LABEL = 'Search domains and addresses'

interface SearchFieldProps {
  /** The search text in the URL. */
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches when typing pauses. Follows the URL, so that Back restores the earlier text. */
export function SearchField({ value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = useRef(onSearch)
  const field = useRef<HTMLInputElement>(null)
  function focus(): void {
    field.current?.focus()
    field.current?.select()
  }
  usePageActions([{ label: LABEL, icon: 'search', shortcut: 'search', run: focus }])
  useEffect(() => {
    search.current = onSearch
  }, [onSearch])

  useEffect(() => {
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(typed: string): void {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      sent.current = typed.trim()
      search.current(sent.current)
    }, TYPING_MS)
  }
  return (
    <div className="search" role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={LABEL}
        placeholder="Search, or tag:office"
        aria-describedby="search-help"
        value={text}
        maxLength={253}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => type(event.target.value)}
      />
      <span id="search-help" className="visually-hidden">
        Filters: zone:, status:, type:, ip: and tag:
      </span>
    </div>
  )
}
