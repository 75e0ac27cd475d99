/** What to put into the pipeline, and what it does. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useRef } from 'react'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import type { TrustPolicy } from '../../../api/trust-policies.ts'
import { CopyButton } from '@homing/theme/parts/CopyButton.tsx'
import { providerOf } from './policy-draft.ts'
import { workflowOf } from './workflow.ts'

interface WorkflowDialogProps {
  readonly policy: TrustPolicy
  readonly onClose: () => void
}

const ISSUERS = { github: 'GitHub', gitlab: 'GitLab', other: 'The issuer' } as const

export default function WorkflowDialog({ policy, onClose }: WorkflowDialogProps) {
  const shown = useRef<HTMLElement>(null)
  const { file, text } = workflowOf(policy, location.origin)
  return (
    <DialogFrame title={`Workflow of “${policy.name}”`} width="md" onClose={onClose}>
      <DialogContent className="modal-content">
        <ol className="steps">
          <li>
            {ISSUERS[providerOf(policy)]} signs a token for the run. It says who runs it, and is
            meant only for this service.
          </li>
          <li>The run sends the token. The service checks it against this policy.</li>
          <li>
            The service answers with an API key that works for 15 minutes. You store no secret.
          </li>
        </ol>
        <div className="snippet">
          <div className="snippet-head">
            <span className="monospace">{file}</span>
            <CopyButton text={text} what="the workflow" shownIn={() => shown.current} />
          </div>
          <pre tabIndex={0} aria-label={file}>
            <code ref={shown} className="monospace">
              {text}
            </code>
          </pre>
        </div>
        <p className="muted">Replace the domain and the address in the last step with your own.</p>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
