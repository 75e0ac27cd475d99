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

  useEffect(() => {
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])

  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = wanted
      onSearch(wanted)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])

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
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
