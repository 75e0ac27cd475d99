import { useQuery, useQueryClient } from '@tanstack/react-query'
import { restoreDomain } from '../../api/deleted-domains.ts'
import { createWildcard, deleteDomain, type Domain } from '../../api/domains.ts'
import { deletionOf, textOf } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { updateTokenQuery } from '../../api/update-tokens.ts'
import { forwardsQuery } from '../../api/web-forwards.ts'
import { hashOf } from '../../routes.ts'
import { reloadDomains } from './reload-domains.ts'

interface DeleteDomainDialogProps {
  readonly domain: Domain
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Restores a deleted domain as it was. A wildcard alone has nothing to restore, so it is created again. */
async function restore({ id, fqdn, is_wildcard }: Domain): Promise<void> {
  await (is_wildcard ? createWildcard(fqdn.slice(2)) : restoreDomain(id))
}

function useDeletedNotice() {
  const queries = useQueryClient()
  return (domain: Domain) => {
    const { fqdn } = domain
    void reloadDomains(queries)
    const undo = async () => {
      try {
        await restore(domain)
        notify({ kind: 'success', text: `${fqdn} was restored.` })
      } catch (error) {
        const why =
          error instanceof Error ? textOf(error, 'Failed to restore domain') : String(error)
        notify({ kind: 'failure', text: `${fqdn} was not restored. ${why}` })
      }
      void reloadDomains(queries)
    }
    notify({
      kind: 'success',
      text: `${fqdn} was deleted.`,
      action: { label: 'Undo', run: () => void undo() },
    })
  }
}

function ForwardEnd({ domain: { id } }: Pick<DeleteDomainDialogProps, 'domain'>) {
  const { data: forwards } = useQuery(forwardsQuery)
  const forward = forwards?.find(({ domain_id }) => domain_id === id)
  if (forward === undefined) return null
  return (
    <p>
      Its web forward to <span className="monospace">{forward.target_url}</span> ends. A restored
      domain has it again.
    </p>
  )
}

function MonitorEnd({ domain: { monitor_state } }: Pick<DeleteDomainDialogProps, 'domain'>) {
  if (monitor_state === null) return null
  return (
    <p>Its monitor stops. A restored domain has it again, but without the history of its uptime.</p>
  )
}

/** What is deleted with the domain. The update token is named once the service has said that there is one. */
function Contents({
  domain: { id, fqdn, wildcard_enabled },
}: Pick<DeleteDomainDialogProps, 'domain'>) {
  const { data: token } = useQuery(updateTokenQuery(id))
  const hasToken = token !== null && token !== undefined
  if (!wildcard_enabled && !hasToken) return null
  return (
    <>
      <p>With it are deleted:</p>
      <ul className="deleted-with">
        {wildcard_enabled && (
          <li>
            its wildcard <span className="monospace">*.{fqdn}</span>
          </li>
        )}
        {hasToken && (
          <li>
            its update token <span className="monospace">{token.prefix}…</span>: routers that use it
            are refused
          </li>
        )}
      </ul>
    </>
  )
}

function Effect({ domain }: Pick<DeleteDomainDialogProps, 'domain'>) {
  if (domain.is_wildcard) {
    return (
      <p>
        DNS no longer answers for undefined subdomains of{' '}
        <strong className="monospace">{domain.fqdn.slice(2)}</strong>.
      </p>
    )
  }
  return (
    <>
      <p>
        DNS stops answering for <strong className="monospace">{domain.fqdn}</strong>
        {domain.wildcard_enabled ? ', its wildcard' : ''} and its records. Updates are refused.
      </p>
      <Contents domain={domain} />
      <p>
        The domain can be restored for 30 days, with its records, history, note and tags and all
        that is deleted with it. In that time nobody else can register it, unless you delete more
        domains than your plan includes: see{' '}
        <a className="deleted-link" href={hashOf('deleted-domains')}>
          Deleted Domains
        </a>
        .
      </p>
      <ForwardEnd domain={domain} />
      <MonitorEnd domain={domain} />
    </>
  )
}

export default function DeleteDomainDialog({
  domain,
  onClose,
  onDeleted,
}: DeleteDomainDialogProps) {
  const tell = useDeletedNotice()
  const { mutate, isPending, error } = useWrite({
    mutationFn: async () => deletionOf(deleteDomain(domain.id)),
    onSuccess() {
      tell(domain)
      onDeleted()
    },
  })
  return (
    <Modal
      title="Delete domain?"
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={() => mutate()}
    >
      {error && <Failure error={error} otherwise="Failed to delete domain" />}
      <Effect domain={domain} />
    </Modal>
  )
}
