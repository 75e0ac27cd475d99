import {
  type DeviceFile,
  fillIn,
  holdsToken,
  UNKNOWN_TOKEN,
  type UpdateSettings,
} from '@homing/openapi/devices'
import Button from '@mui/material/Button'
import { useRef } from 'react'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { InlineCode } from './InlineCode.tsx'

interface FileBlockProps {
  readonly file: DeviceFile
  readonly settings: UpdateSettings
}

/** A configuration file or a script: to read, to copy and to download. */
export function FileBlock({ file: { name, use, content }, settings }: FileBlockProps) {
  const shown = useRef<HTMLElement>(null)
  const text = fillIn(content, settings)
  const lacksToken = holdsToken(content) && settings.token === undefined
  return (
    <div className="file">
      <div className="file-head">
        <h4 className="monospace">{name}</h4>
        <CopyButton text={text} what={name} shownIn={() => shown.current} />
        <Button
          size="small"
          variant="outlined"
          aria-label={`Download ${name}`}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), name)}
        >
          Download
        </Button>
      </div>
      <p className="muted">
        <InlineCode text={use} />
      </p>
      {/* The block scrolls sideways, so that it needs the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={`Content of ${name}`}>
        <code ref={shown} className="monospace">
          {text}
        </code>
      </pre>
      {lacksToken && (
        <p className="muted">
          Replace <code className="monospace">{UNKNOWN_TOKEN}</code> with the update token.
        </p>
      )}
    </div>
  )
}
