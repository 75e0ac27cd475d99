/** Pauses and resumes one domain. The notice has Undo. */
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type Domain, setPaused, showInTable } from '../../../api/domains.ts'
import { textOf } from '../../../api/problem.ts'
import { reloadDomains } from '../reload-domains.ts'

interface Pause {
  readonly domain: Domain
  readonly paused: boolean
  readonly isUndo?: boolean
}

const textFor = ({ domain: { fqdn }, paused }: Pause) =>
  paused ? `${fqdn} is paused. DNS does not serve it.` : `${fqdn} is in DNS again.`

export function usePause(): (pause: Pause) => void {
  const queries = useQueryClient()
  const { mutate } = useWrite({
    mutationFn: ({ domain, paused }: Pause) => setPaused(domain.id, paused),
    onSuccess(after, pause) {
      showInTable(queries, after)
      void reloadDomains(queries)
      const undo = { ...pause, paused: !pause.paused, isUndo: true }
      const action = { label: 'Undo', run: () => mutate(undo) }
      const text = textFor(pause)
      notify({ kind: 'success', text, ...(pause.isUndo === true ? {} : { action }) })
    },
    onError(error, { domain: { fqdn }, paused }) {
      const text = `${fqdn} was not ${paused ? 'paused' : 'resumed'}. ${textOf(error, 'Please try again.')}`
      notify({ kind: 'failure', text })
    },
  })
  return mutate
}
