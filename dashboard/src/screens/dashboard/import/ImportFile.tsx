import { useId, useState } from 'react'
import './import.css'

export interface ReadFile {
  readonly name: string
  readonly text: string
}

interface ImportFileProps {
  readonly label: string
  /** As in HTML: endings of names and media types. */
  readonly accept: string
  readonly limitBytes: number
  /** The limit in words, such as `8 MB`. */
  readonly limitText: string
  readonly onFile: (file: ReadFile) => void
}

/** The choice of a file that is imported. A file that is too large is not read. */
export function ImportFile({ label, accept, limitBytes, limitText, onFile }: ImportFileProps) {
  const id = useId()
  const [fault, setFault] = useState<string>()
  async function read(file: File): Promise<void> {
    const isTooLarge = file.size > limitBytes
    setFault(isTooLarge ? `The file is larger than ${limitText}. Import part of it.` : undefined)
    if (!isTooLarge) onFile({ name: file.name, text: await file.text() })
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="import-file"
        type="file"
        accept={accept}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) void read(file)
        }}
      />
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="field-error">
          {fault}
        </p>
      )}
    </div>
  )
}
