/** The web forward of the domain: its settings, its hits and its check, or how to add one. */
import { count } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Domain } from '../../../api/domains.ts'
import {
  forwardsQuery,
  forwardUsageQuery,
  type WebForward,
  type WebForwardUsage,
} from '../../../api/web-forwards.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import type { DialogInUrl } from '../../../dialog-url.ts'
import { hashOf } from '../../../routes.ts'
import { lockOf } from '../../frame/lock-words.ts'
import { CheckResult } from '../../webforward/CheckResult.tsx'
import { ForwardDialogs } from '../../webforward/ForwardDialogs.tsx'
import { Code, LastCheck, StateBadge } from '../../webforward/ForwardTable.tsx'
import { remarkOf, stateOf, TYPE_NAMES } from '../../webforward/forward-words.ts'
import { ForwardUpsell } from '../../webforward/ForwardUpsell.tsx'
import { type DomainDialogName, FORWARD_DIALOGS } from '../DomainDialogs.tsx'
import '../../webforward/forward-form.css'
import '../../webforward/webforward.css'

const MINUTE_MS = 60_000

type ForwardDialogName = (typeof FORWARD_DIALOGS)[number]

const TASKS = {
  'add-forward': 'add',
  'edit-forward': 'edit',
  'delete-forward': 'delete',
} as const satisfies Readonly<Record<ForwardDialogName, string>>

interface CardProps {
  readonly forward: WebForward
  readonly domain: Domain
  readonly canEdit: boolean
  readonly show: (name: ForwardDialogName) => void
}

/** What of a request reaches the target. */
function keptText({ forward_path, forward_query }: WebForward): string {
  if (forward_path && forward_query) return 'Path and query are appended to the target.'
  if (forward_path) return 'The path is appended to the target, the query is not.'
  if (forward_query) return 'The query is appended to the target, the path is not.'
  return 'Every request leads to the target itself.'
}

function Facts({ forward }: Pick<CardProps, 'forward'>) {
  const nowMs = useNow(MINUTE_MS)
  const { target_url, forwarding_type, hits_7d, title, description, keywords } = forward
  const texts = [
    ['Title', title],
    ['Description', description],
    ['Keywords', keywords],
  ] as const
  return (
    <dl className="section-facts forward-facts">
      <div>
        <dt>Target</dt>
        <dd>
          <a className="section-link" href={target_url} target="_blank" rel="noreferrer">
            {target_url}
          </a>
        </dd>
        <dd className="field-help">{keptText(forward)}</dd>
      </div>
      <div>
        <dt>Type</dt>
        <dd>{TYPE_NAMES[forwarding_type]}</dd>
      </div>
      <div>
        <dt>Status code</dt>
        <dd>
          <Code forward={forward} />
        </dd>
      </div>
      {texts.map(
        ([name, text]) =>
          text !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
      <div>
        <dt>Hits, 7 days</dt>
        <dd>{count(hits_7d)}</dd>
      </div>
      <div>
        <dt>Last check</dt>
        <dd>
          <LastCheck forward={forward} nowMs={nowMs} />
        </dd>
      </div>
    </dl>
  )
}

function ForwardCard({ forward, domain, canEdit, show }: CardProps) {
  const remark = remarkOf(forward, domain)
  const isDisabled = stateOf(forward) === 'disabled'
  const reasonId = useId()
  const locked = lockOf(domain)
  const lock = {
    disabled: locked !== undefined,
    'aria-describedby': locked === undefined ? undefined : reasonId,
  }
  return (
    <section className="card section-card" aria-labelledby="forward-title">
      <div className="domain-card-head">
        <h2 id="forward-title">Web Forward</h2>
        <StateBadge forward={forward} />
      </div>
      {remark !== undefined && <p className="forward-remark">{remark}</p>}
      <Facts forward={forward} />
      {forward.check_result !== null && (
        <CheckResult check={forward.check_result} type={forward.forwarding_type} />
      )}
      {!isDisabled && (
        <div className="section-actions">
          {canEdit && (
            <button
              type="button"
              className="line-button"
              {...lock}
              onClick={() => show('edit-forward')}
            >
              <Icon name="edit" size={16} />
              Edit Forward
            </button>
          )}
          <button
            type="button"
            className="line-button line-button-danger"
            {...lock}
            onClick={() => show('delete-forward')}
          >
            <Icon name="remove" size={16} />
            Delete Forward
          </button>
          {locked !== undefined && (
            <p id={reasonId} className="field-help">
              {locked}
            </p>
          )}
        </div>
      )}
    </section>
  )
}

function NoForward({ domain, show }: Pick<CardProps, 'domain' | 'show'>) {
  const { fqdn } = domain
  const reasonId = useId()
  const locked = lockOf(domain)
  return (
    <section className="card section-card" aria-labelledby="forward-title">
      <h2 id="forward-title">Web Forward</h2>
      <p>{fqdn} is not forwarded. A web forward leads its visitors to another URL.</p>
      <button
        type="button"
        className="line-button fit"
        disabled={locked !== undefined}
        aria-describedby={locked === undefined ? undefined : reasonId}
        onClick={() => show('add-forward')}
      >
        <Icon name="add" size={16} />
        Add Web Forwarding
      </button>
      {locked !== undefined && (
        <p id={reasonId} className="field-help">
          {locked}
        </p>
      )}
      <p>
        <a className="section-link" href={hashOf('webforward')}>
          All web forwards
        </a>
      </p>
    </section>
  )
}

interface ForwardTabProps {
  readonly domain: Domain
  readonly dialog: DialogInUrl<DomainDialogName>
}

interface ContentProps extends ForwardTabProps {
  /** Undefined if the domain is not forwarded. */
  readonly forward: WebForward | undefined
  readonly usage: WebForwardUsage
}

/** The dialog that the URL names, if the plan and the forward allow it. */
function taskOf({ dialog, forward, usage }: ContentProps) {
  const name = FORWARD_DIALOGS.find((each) => each === dialog.name)
  if (name === undefined) return undefined
  if (name !== 'delete-forward' && !usage.can_create_redirect) return undefined
  return name === 'add-forward' && forward !== undefined ? undefined : TASKS[name]
}

function Content(props: ContentProps) {
  const { domain, dialog, forward, usage } = props
  const canEdit = usage.can_create_redirect
  return (
    <>
      {!canEdit && <ForwardUpsell hasForwards={forward !== undefined} />}
      {forward !== undefined && (
        <ForwardCard forward={forward} domain={domain} canEdit={canEdit} show={dialog.show} />
      )}
      {forward === undefined && canEdit && <NoForward domain={domain} show={dialog.show} />}
      <ForwardDialogs
        name={taskOf(props)}
        forward={forward}
        domains={[domain]}
        usage={usage}
        onClose={dialog.close}
      />
    </>
  )
}

export function ForwardTab({ domain, dialog }: ForwardTabProps) {
  const forwards = useQuery(forwardsQuery)
  const usage = useQuery(forwardUsageQuery)
  const both = {
    ...(forwards.error === null ? usage : forwards),
    data: forwards.data && usage.data && { list: forwards.data, usage: usage.data },
  }
  return (
    <Loaded query={both} failure="Failed to load data">
      {({ list, usage: read }) => (
        <Content
          domain={domain}
          dialog={dialog}
          forward={list.find(({ domain_id }) => domain_id === domain.id)}
          usage={read}
        />
      )}
    </Loaded>
  )
}
