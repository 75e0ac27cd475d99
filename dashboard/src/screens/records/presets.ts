/** Records that people need first, with what their form starts with. */
import type { RecordUsage } from '../../api/records.ts'
import type { RecordStart } from './record-draft.ts'

export interface Preset extends RecordStart {
  /** In the URL. */
  readonly id: string
  readonly title: string
  readonly text: string
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'certificate',
    title: 'Verify a domain for a certificate',
    text: 'A TXT record of _acme-challenge, with the text that your certificate program prints.',
    owner: '_acme-challenge',
    type: 'TXT',
  },
  {
    id: 'ownership',
    title: 'Prove that the domain is yours',
    text: 'A TXT record with the text that a search engine or another service gives you.',
    owner: '@',
    type: 'TXT',
  },
  {
    id: 'mail',
    title: 'Receive mail',
    text: 'An MX record with the servers that take your mail.',
    owner: '@',
    type: 'MX',
  },
  {
    id: 'spf',
    title: 'Say who sends your mail (SPF)',
    text: 'A TXT record: the servers of your MX record send your mail, and nobody else.',
    owner: '@',
    type: 'TXT',
    values: ['"v=spf1 mx -all"'],
  },
  {
    id: 'caa',
    title: 'Certificates of Let’s Encrypt only',
    text: 'A CAA record: no other authority can issue one.',
    owner: '@',
    type: 'CAA',
    values: ['0 issue "letsencrypt.org"'],
  },
]

/** What a plan allows. */
export const presetsOf = (recordTypes: RecordUsage['record_types']): readonly Preset[] =>
  PRESETS.filter(({ type }) => recordTypes === 'all' || type === 'TXT')
