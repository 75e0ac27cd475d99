import Button from '@mui/material/Button'
import { useEffect, useRef, useState } from 'react'
import { downloadArchive } from '../../../api/account-export.ts'
import { isDeclined } from '../../../api/confirmation.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { saveFile } from '../../../components/save-file.ts'
import { sizeText } from './size-text.ts'

const FILE = 'account.json'

/** The download, of which one runs at a time. It ends with the screen. */
function useDownload() {
  const [octets, setOctets] = useState(0)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { mutate, isPending, error, isSuccess, reset } = useWrite({
    mutationFn(controller: AbortController) {
      running.current = controller
      setOctets(0)
      return downloadArchive(controller.signal, setOctets)
    },
    onSuccess: (archive) => saveFile(archive, FILE),
  })
  const isAborted = running.current?.signal.aborted === true
  return {
    octets,
    isPending,
    isSuccess,
    error: isAborted || isDeclined(error) ? null : error,
    start: () => mutate(new AbortController()),
    cancel: () => {
      running.current?.abort()
      reset()
    },
  } as const
}

function Contents() {
  return (
    <>
      <p>
        One file ({FILE}) with all data about you: the account and its plan, domains and their
        history, update calls, sessions, sign-ins, API keys, update tokens, trusted pipelines and
        second factors. It contains no passwords and no secrets.
      </p>
      <p className="muted">You can export your data five times a day, on every plan.</p>
    </>
  )
}

/** The export of all data about the user, with its progress. */
export default function ExportSection() {
  const { octets, isPending, isSuccess, error, start, cancel } = useDownload()
  const { waitSeconds, labelOf } = useHold(error)
  return (
    <div className="card section-card">
      <Contents />
      {error && <Failure error={error} hasTimer={false} onRetry={start} />}
      {isSuccess && (
        <Message tone="info">
          <p>
            The export is complete: {FILE}, {sizeText(octets)}.
          </p>
        </Message>
      )}
      {isPending && (
        <div className="settings-progress">
          <progress aria-label="Export" />
          <p role="status">
            {octets === 0 ? 'Preparing the file...' : `Received ${sizeText(octets)}`}
          </p>
        </div>
      )}
      <div className="section-actions">
        <Button
          variant="contained"
          aria-disabled={isPending || waitSeconds > 0}
          onClick={() => waitSeconds > 0 || start()}
        >
          {isPending ? 'Exporting...' : labelOf('Export My Data')}
        </Button>
        {isPending && (
          <Button variant="outlined" onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
    </div>
  )
}
