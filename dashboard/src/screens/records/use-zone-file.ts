/** Imports a zone file: checks it with a dry run, then imports it as a whole, or nothing. */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useState } from 'react'
import { importRecords, type ZoneFileImport, type ZoneFileResult } from '../../api/records.ts'
import type { RecordPlace } from './record-place.ts'

export interface ZoneFile {
  /** Undefined for pasted lines. */
  readonly name?: string
  readonly text: string
}

const NO_FILE: ZoneFile = { text: '' }

/** A call's limit is 8 MB, in which the text is a JSON string. */
export const FILE_LIMIT_BYTES = 6 * 1024 * 1024

interface ZoneFileOptions {
  readonly place: RecordPlace
  readonly onImported: (result: ZoneFileResult) => void
}

export function useZoneFile({ place, onImported }: ZoneFileOptions) {
  const [file, setFile] = useState(NO_FILE)
  const [replace, setReplace] = useState(false)
  const [result, setResult] = useState<ZoneFileResult>()
  const body: ZoneFileImport = { text: file.text, ...(replace && { replace }) }
  const check = useWrite({
    mutationFn: () => importRecords(place, { ...body, dry_run: true }),
    onSuccess: setResult,
  })
  const apply = useWrite({
    mutationFn: () => importRecords(place, body),
    onSuccess(answer) {
      if (answer.applied) onImported(answer)
      // Something has changed since the check.
      else setResult(answer)
    },
  })
  const forget = () => {
    check.reset()
    apply.reset()
    setResult(undefined)
  }
  return {
    file,
    replace,
    result,
    error: apply.error ?? check.error,
    isBusy: check.isPending || apply.isPending,
    isEmpty: file.text.trim() === '',
    take: (next: ZoneFile) => {
      forget()
      setFile(next)
    },
    setReplace: (next: boolean) => {
      forget()
      setReplace(next)
    },
    check: () => check.mutate(),
    apply: () => apply.mutate(),
  }
}
