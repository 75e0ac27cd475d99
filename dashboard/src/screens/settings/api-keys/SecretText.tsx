/** A secret that is covered until the user reveals it, in several formats to copy. */
import Button from '@mui/material/Button'
import { useRef, useState } from 'react'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { COPY_TEXTS, useCopy } from '@homing/theme/parts/use-copy.ts'
import type { KeyScope } from '../../../api/api-keys.ts'
import { Radios } from '../../../components/Choices.tsx'
import { masked, SECRET_FORMATS, type SecretFormat, secretIn } from './secret-formats.ts'

interface SecretTextProps {
  readonly secret: string
  /** The characters of the secret that the list shows too. */
  readonly prefix: string
  readonly scope: KeyScope
}

const FORMATS = SECRET_FORMATS.map(([value, label]) => ({ value, label }))

export function SecretText({ secret, prefix, scope }: SecretTextProps) {
  const [format, setFormat] = useState<SecretFormat>('raw')
  const [isRevealed, setRevealed] = useState(false)
  const shownIn = useRef<HTMLElement>(null)
  const { outcome, copy, forget } = useCopy()
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
          startIcon={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
          onClick={() =>
            void copy(
              secretIn(format, { secret, scope, origin }),
              () => shownIn.current,
              () => setRevealed(true),
            )
          }
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="outlined"
          startIcon={<Icon name={isRevealed ? 'hide' : 'show'} size={16} />}
          onClick={() => setRevealed(!isRevealed)}
        >
          {isRevealed ? 'Hide' : 'Reveal'}
        </Button>
        {outcome === 'selected' && <span className="copy-hint">{COPY_TEXTS.selected}</span>}
      </div>
    </div>
  )
}
