import { useEffect, useId, useRef, useState } from 'react'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'

/** The pause in typing after which the search starts. */
const TYPING_MS = 50

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  /** For screen readers. */
  readonly help?: string
  /** The search text in the URL. */
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches when typing pauses. Follows the URL, so that Back restores the earlier text. */
export function SearchField({ label, placeholder, help, value, onSearch }: SearchFieldProps) {
  const helpId = useId()
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = useRef(onSearch)
  const field = useRef<HTMLInputElement>(null)
  function focus(): void {
    field.current?.focus()
    field.current?.select()
  }
  usePageActions([{ label, icon: 'search', shortcut: 'search', run: focus }])
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
        aria-label={label}
        placeholder={placeholder}
        aria-describedby={help === undefined ? undefined : helpId}
        value={text}
        maxLength={253}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => type(event.target.value)}
      />
      {help !== undefined && (
        <span id={helpId} className="visually-hidden">
          {help}
        </span>
      )}
    </div>
  )
}
