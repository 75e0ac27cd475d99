/** A secret that is covered until the user reveals it, in several formats to copy. */
import Button from '@mui/material/Button'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '../../../components/Announcer.tsx'
import { copyText } from '../../../components/copy-text.ts'
import { Icon } from '../../../components/Icon.tsx'
import type { KeyScope } from '../../../api/api-keys.ts'
import { Radios } from './Choices.tsx'
import { masked, SECRET_FORMATS, type SecretFormat, secretIn } from './secret-formats.ts'

interface SecretTextProps {
  readonly secret: string
  /** The characters of the secret that the list shows too. */
  readonly prefix: string
  readonly scope: KeyScope
}

const SHOWN_MS = 2_000
const COPIED = 'Copied to clipboard!'
const SELECTED = 'Selected: press Ctrl+C'
const FORMATS = SECRET_FORMATS.map(([value, label]) => ({ value, label }))

/** Copies the text, which is revealed first where the browser can copy only what the page shows. */
function useCopy(reveal: () => void) {
  const shownIn = useRef<HTMLElement>(null)
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said !== COPIED) return undefined
    const timer = setTimeout(setSaid, SHOWN_MS, undefined)
    return () => clearTimeout(timer)
  }, [said])
  async function copy(text: string): Promise<void> {
    let isCopied = await copyText(text, null)
    if (!isCopied) {
      flushSync(reveal)
      isCopied = await copyText(text, shownIn.current)
    }
    setSaid(isCopied ? COPIED : SELECTED)
    announce(isCopied ? COPIED : SELECTED)
  }
  return { shownIn, said, copy, forget: () => setSaid(undefined) }
}

export function SecretText({ secret, prefix, scope }: SecretTextProps) {
  const [format, setFormat] = useState<SecretFormat>('raw')
  const [isRevealed, setRevealed] = useState(false)
  const { shownIn, said, copy, forget } = useCopy(() => setRevealed(true))
  const { origin } = location
  const shown = isRevealed ? secret : masked(prefix)
  return (
    <div className="secret">
      <Radios
        legend="Format"
        className="choices-tabs"
        choices={FORMATS}
        value={format}
        onChange={(chosen) => {
          forget()
          setFormat(chosen)
        }}
      />
      <pre className="secret-text">
        <code ref={shownIn} className="monospace">
          {secretIn(format, { secret: shown, scope, origin })}
        </code>
      </pre>
      <div className="secret-buttons">
        <Button
          variant="contained"
          startIcon={<Icon name={said === COPIED ? 'check' : 'copy'} size={16} />}
          onClick={() => void copy(secretIn(format, { secret, scope, origin }))}
        >
          {said === COPIED ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="outlined"
          startIcon={<Icon name={isRevealed ? 'hide' : 'show'} size={16} />}
          onClick={() => setRevealed(!isRevealed)}
        >
          {isRevealed ? 'Hide' : 'Reveal'}
        </Button>
        {said === SELECTED && <span className="copy-hint">{SELECTED}</span>}
      </div>
    </div>
  )
}
