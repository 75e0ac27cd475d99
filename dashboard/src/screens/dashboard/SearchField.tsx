import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../components/Icon.tsx'

/** Long enough to type the next letter. */
const TYPING_MS = 200

interface SearchFieldProps {
  /** As the URL has it. */
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches when typing pauses. Follows the URL: the browser's way back empties it again. */
export function SearchField({ value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = useRef(onSearch)
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
        type="search"
        aria-label="Search domains and addresses"
        placeholder="Search"
        value={text}
        maxLength={253}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => type(event.target.value)}
      />
    </div>
  )
}
