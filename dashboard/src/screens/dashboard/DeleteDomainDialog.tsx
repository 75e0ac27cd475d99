import { useQueryClient } from '@tanstack/react-query'
import { createDomain, createWildcard, deleteDomain, type Domain } from '../../api/domains.ts'
import { deletionOf, textOf } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { reloadDomains } from './reload-domains.ts'

interface DeleteDomainDialogProps {
  readonly domain: Domain
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Registers a deleted domain again with its old settings. For 30 days nobody else can register it. */
async function addAgain({ fqdn, zone, rrtype, ...was }: Domain): Promise<void> {
  const { record_ipv4, record_ipv6, is_wildcard, wildcard_enabled } = was
  if (is_wildcard) {
    await createWildcard(fqdn.slice(2))
    return
  }
  await createDomain({ fqdn, zone, rrtype, record_ipv4, record_ipv6 })
  if (wildcard_enabled) await createWildcard(fqdn)
}

function useDeletedNotice() {
  const queries = useQueryClient()
  return (domain: Domain) => {
    void reloadDomains(queries)
    const again = async () => {
      try {
        await addAgain(domain)
        notify({ kind: 'success', text: `${domain.fqdn} was added again.` })
      } catch (error) {
        const why = error instanceof Error ? textOf(error, 'Failed to add domain') : String(error)
        notify({ kind: 'failure', text: `Could not add ${domain.fqdn} again. ${why}` })
      }
      void reloadDomains(queries)
    }
    notify({
      kind: 'success',
      text: `${domain.fqdn} was deleted.`,
      action: { label: 'Add Again', run: () => void again() },
    })
  }
}

function Effect({ domain }: { readonly domain: Domain }) {
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
        {domain.wildcard_enabled ? ' and its wildcard' : ''} and refuses updates.
      </p>
      <p>The domain stays reserved for you for 30 days.</p>
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
