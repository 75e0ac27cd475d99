import Button from '@mui/material/Button'
import { useId, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { saveFile } from '../../components/save-file.ts'
import { focusHeading, useFocusOnMount } from './use-focus-on-mount.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

const fileOf = (codes: readonly string[], username: string) =>
  new Blob(
    [
      `Recovery codes of ${username} at ${location.host}\n`,
      'Each code works once, in place of the second factor.\n\n',
      `${codes.join('\n')}\n`,
    ],
    { type: 'text/plain' },
  )

/** New recovery codes, shown once: the user must confirm that they are saved. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { user } = useSession()
  const [isSaved, setSaved] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const panel = useFocusOnMount<HTMLElement>()
  const titleId = useId()
  const hintId = useId()
  return (
    <section ref={panel} tabIndex={-1} className="card section-card" aria-labelledby={titleId}>
      <h2 id={titleId}>Save your recovery codes</h2>
      <p>
        You can sign in with a recovery code if you lose your second factor. Each code works once.
        The codes are shown only now: print them, or keep them with your passwords.
      </p>
      <div className="recovery-codes">
        <ul ref={list} className="monospace">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} what="recovery codes" shownIn={() => list.current} />
      </div>
      <Button
        variant="outlined"
        className="fit"
        onClick={() =>
          saveFile(fileOf(codes, user?.username ?? ''), `recovery-codes-${location.hostname}.txt`)
        }
      >
        Download Codes
      </Button>
      <CheckField name="saved" isChecked={isSaved} onChange={setSaved}>
        I’ve saved these codes
      </CheckField>
      <div className="section-actions">
        <Button
          variant="contained"
          disabled={!isSaved}
          aria-describedby={isSaved ? undefined : hintId}
          onClick={() => {
            onDone()
            requestAnimationFrame(focusHeading)
          }}
        >
          Done
        </Button>
        {!isSaved && (
          <span id={hintId} className="muted">
            Save the codes first.
          </span>
        )}
      </div>
      <LeaveGuard
        title="Leave without the codes?"
        text="The recovery codes cannot be shown again."
        submit="Leave"
      />
    </section>
  )
}
