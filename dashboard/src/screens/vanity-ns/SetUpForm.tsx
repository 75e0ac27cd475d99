import Button from '@mui/material/Button'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { reloadOwnZones, setUpVanity, vanityQuery } from '../../api/own-zones.ts'
import { RepeatableChange } from '../../api/repeatable-change.ts'
import { domainFault } from '../own-zones/domain-fault.ts'

const HELP =
  'A domain that you registered at a registrar, such as example.com. Subdomains of Homing cannot be used.'

/** The first step: the domain in which the name servers get their names. */
export function SetUpForm({ onDone }: { readonly onDone: () => void }) {
  const queries = useQueryClient()
  const [domain, setDomain] = useState('')
  const [change] = useState(() => new RepeatableChange())
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => change.send({ domain: domain.trim() }, setUpVanity),
    onSuccess(status) {
      onDone()
      queries.setQueryData(vanityQuery.queryKey, status)
      void reloadOwnZones(queries)
    },
  })
  const fault = domainFault(error)
  const isEmpty = domain.trim() === ''
  function send(event: FormEvent): void {
    event.preventDefault()
    if (!isPending && !isEmpty) mutate()
  }
  return (
    <form className="section-form" noValidate onSubmit={send}>
      {error && fault === undefined && <Failure error={error} otherwise="Setup failed" />}
      <Field
        label="Domain"
        name="domain"
        isMonospace
        autoComplete="off"
        value={domain}
        error={fault}
        help={HELP}
        inputProps={{ maxLength: 253, spellCheck: false, autoCapitalize: 'none', inputMode: 'url' }}
        onChange={(event) => {
          if (error) reset()
          setDomain(event.target.value)
        }}
      />
      <Button
        type="submit"
        variant="contained"
        className="fit"
        disabled={isEmpty}
        aria-disabled={isPending}
      >
        {isPending ? 'Setting up...' : 'Set Up'}
      </Button>
    </form>
  )
}
