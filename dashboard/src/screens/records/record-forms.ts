/** The form of each record type: its fields with hints, and how they become a value of a zone file and back. */
import type { RecordUsage } from '../../api/records.ts'
import { stringsOfText, textOfStrings, wordsOf } from './value-text.ts'

export interface ValueField {
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  /** A whole number in a narrow field. */
  readonly isNumber?: true
  readonly isOptional?: true
  /** A long text, which grows. */
  readonly isLong?: true
  /** The values with their meaning, where a list of them exists. */
  readonly choices?: readonly (readonly [string, string])[]
}

export interface RecordForm {
  readonly type: string
  /** In the list of types. */
  readonly title: string
  /** What the record is for, below the list of types. */
  readonly hint: string
  /** What an owner name of this type looks like. */
  readonly owner?: string
  /** What one value is: `mail server`. */
  readonly what: string
  readonly fields: readonly ValueField[]
  /** The contents of the fields of a new value. */
  readonly start: readonly string[]
  /** Whether the record has one value only. */
  readonly isSingle?: true
  /** The contents of the fields; undefined for a value that they cannot show. */
  readonly read: (value: string) => readonly string[] | undefined
  readonly write: (parts: readonly string[]) => string
}

const joined = (parts: readonly string[]): string => parts.map((part) => part.trim()).join(' ')

/** A type whose value is a word for each field; the last field has the rest. */
const inWords = (form: Omit<RecordForm, 'read' | 'write'>): RecordForm => ({
  ...form,
  read: (value) => wordsOf(value, form.fields.length),
  write: joined,
})

const host = (label: string, help: string): ValueField => ({
  label,
  help,
  placeholder: 'host.example.com',
})
const FULL_NAME = 'The full name, as mail.example.com.'

const SERVICE_FIELDS: readonly ValueField[] = [
  { label: 'Priority', isNumber: true, help: '0: an alias. The smallest number is used first.' },
  host('Target', 'A full name, or a dot for the owner itself.'),
  {
    label: 'Parameters',
    isLong: true,
    isOptional: true,
    placeholder: 'alpn="h2,h3" port=8443',
    help: 'Separated by spaces. Empty for an alias.',
  },
]

/** The parameters can be missing. */
const service = (form: Pick<RecordForm, 'type' | 'title' | 'hint' | 'owner'>): RecordForm => ({
  ...form,
  what: 'endpoint',
  fields: SERVICE_FIELDS,
  start: ['1', '.', 'alpn="h2"'],
  read: (value) => wordsOf(value, 3) ?? (wordsOf(value, 2) && [...(wordsOf(value, 2) ?? []), '']),
  write: (parts) => joined(parts).trim(),
})

const address = (type: 'A' | 'AAAA', family: string, placeholder: string): RecordForm => ({
  type,
  title: `${type}: address of a name server (glue)`,
  hint: `Only for the name servers of a delegation: an NS record that leads to a name below itself. The ${family} address of anything else is that of a domain.`,
  what: 'address',
  fields: [{ label: `${family} address`, placeholder }],
  start: [''],
  read: (value) => [value],
  write: joined,
})

const TXT: RecordForm = {
  type: 'TXT',
  title: 'TXT: a text',
  hint: 'Proof that you own a domain, or data for programs: SPF, DKIM, DMARC, certificates.',
  owner: '_acme-challenge, _dmarc, selector._domainkey',
  what: 'text',
  fields: [{ label: 'Text', isLong: true, help: 'Without quotes. Long texts are split for you.' }],
  start: [''],
  read(value) {
    const text = textOfStrings(value)
    return text === undefined ? undefined : [text]
  },
  write: ([text = '']) => stringsOfText(text),
}

const CAA: RecordForm = {
  type: 'CAA',
  title: 'CAA: who can issue certificates',
  hint: 'Names the authorities that can issue certificates for this name and the names below it.',
  what: 'rule',
  fields: [
    {
      label: 'Flags',
      choices: [
        ['0', '0'],
        ['128', '128: critical'],
      ],
    },
    {
      label: 'Tag',
      choices: [
        ['issue', 'issue: certificates'],
        ['issuewild', 'issuewild: wildcards only'],
        ['iodef', 'iodef: where to report'],
      ],
    },
    {
      label: 'Value',
      placeholder: 'letsencrypt.org',
      help: 'A certificate authority such as letsencrypt.org; a semicolon to forbid all; for iodef, mailto:you@example.com.',
    },
  ],
  start: ['0', 'issue', ''],
  read(value) {
    const [flags = '', tag = '', quoted = ''] = wordsOf(value, 3) ?? []
    const text = textOfStrings(quoted)
    return text === undefined ? undefined : [flags, tag, text]
  },
  write: ([flags = '', tag = '', value = '']) => `${flags} ${tag} ${stringsOfText(value.trim())}`,
}

export const OTHER = 'other'

/** The known types, the most frequent first. */
const FORMS: readonly RecordForm[] = [
  TXT,
  inWords({
    type: 'MX',
    title: 'MX: mail servers',
    hint: 'Where mail for this name is delivered.',
    what: 'mail server',
    fields: [
      { label: 'Preference', isNumber: true, help: 'The smallest number is tried first.' },
      { ...host('Mail server', FULL_NAME), placeholder: 'mail.example.com' },
    ],
    start: ['10', ''],
  }),
  inWords({
    type: 'CNAME',
    title: 'CNAME: an alias',
    hint: 'An alias of another name. The owner name cannot have other records.',
    owner: 'www',
    what: 'alias',
    isSingle: true,
    fields: [host('Target', 'The full target name, such as www.example.com.')],
    start: [''],
  }),
  CAA,
  inWords({
    type: 'SRV',
    title: 'SRV: where a service is',
    hint: 'The host and port of a service, such as SIP, XMPP or a game server.',
    owner: '_sip._tcp, _minecraft._tcp',
    what: 'server',
    fields: [
      { label: 'Priority', isNumber: true, help: 'The smallest is used first.' },
      { label: 'Weight', isNumber: true, help: 'The share among equal priorities.' },
      { label: 'Port', isNumber: true, placeholder: '5060' },
      host('Target', 'The full name of the server, or a dot if the service does not exist here.'),
    ],
    start: ['0', '0', '', ''],
  }),
  inWords({
    type: 'NS',
    title: 'NS: a delegation',
    hint: 'Other name servers answer for this name and for everything below it.',
    owner: 'lab',
    what: 'name server',
    fields: [
      host('Name server', 'The full name. If it is below this name, add its address (glue).'),
    ],
    start: [''],
  }),
  inWords({
    type: 'PTR',
    title: 'PTR: the name of an address',
    hint: 'For reverse zones, which lead from addresses to names.',
    owner: '7',
    what: 'name',
    fields: [host('Name', 'The full name of the host.')],
    start: [''],
  }),
  inWords({
    type: 'SSHFP',
    title: 'SSHFP: the key of an SSH server',
    hint: 'SSH clients compare the key of the server with it. `ssh-keygen -r home` prints the values.',
    what: 'fingerprint',
    fields: [
      {
        label: 'Algorithm',
        choices: [
          ['1', '1: RSA'],
          ['2', '2: DSA'],
          ['3', '3: ECDSA'],
          ['4', '4: Ed25519'],
          ['6', '6: Ed448'],
        ],
      },
      {
        label: 'Hash',
        choices: [
          ['1', '1: SHA-1'],
          ['2', '2: SHA-256'],
        ],
      },
      { label: 'Fingerprint', isLong: true, help: 'In hexadecimal digits.' },
    ],
    start: ['4', '2', ''],
  }),
  inWords({
    type: 'TLSA',
    title: 'TLSA: the certificate of a server (DANE)',
    hint: 'Mail servers and others compare the certificate with it. Usual: DANE-EE, the public key of the server, SHA-256.',
    owner: '_25._tcp.mail, _443._tcp',
    what: 'certificate',
    fields: [
      {
        label: 'Usage',
        choices: [
          ['0', '0: PKIX-TA'],
          ['1', '1: PKIX-EE'],
          ['2', '2: DANE-TA'],
          ['3', '3: DANE-EE'],
        ],
      },
      {
        label: 'Selector',
        choices: [
          ['0', '0: whole certificate'],
          ['1', '1: public key'],
        ],
      },
      {
        label: 'Matching',
        choices: [
          ['0', '0: exact'],
          ['1', '1: SHA-256'],
          ['2', '2: SHA-512'],
        ],
      },
      { label: 'Data', isLong: true, help: 'In hexadecimal digits.' },
    ],
    start: ['3', '1', '1', ''],
  }),
  service({
    type: 'HTTPS',
    title: 'HTTPS: how browsers connect',
    hint: 'Tells browsers about HTTP/2, HTTP/3 and other ports before they connect.',
  }),
  service({
    type: 'SVCB',
    title: 'SVCB: how programs connect',
    hint: 'The same as HTTPS for other services.',
    owner: '_dns.resolver',
  }),
  address('A', 'IPv4', '198.51.100.53'),
  address('AAAA', 'IPv6', '2001:db8::53'),
]

/** A type without a form of its own. */
const otherForm = (type: string): RecordForm => ({
  type,
  title: 'Another type, by its number',
  hint: 'Any other type as RFC 3597 writes it: the length in octets, and the data in hexadecimal digits.',
  what: 'value',
  fields: [{ label: 'Value', isLong: true, placeholder: String.raw`\# 4 0a000001` }],
  start: [String.raw`\# `],
  read: (value) => [value],
  write: joined,
})

/** The form of a type. A type without one is written as in RFC 3597. */
export const formOf = (type: string): RecordForm =>
  FORMS.find((form) => form.type === type) ?? otherForm(type)

type Choice = readonly [string, string]

/** The types that a place and a plan allow, for a list. */
export function typeChoices(
  kind: 'domain' | 'zone',
  recordTypes: RecordUsage['record_types'],
): readonly Choice[] {
  if (recordTypes === 'txt') return [[TXT.type, TXT.title]]
  const forms = FORMS.filter(({ type }) => kind === 'zone' || type !== 'PTR')
  return [...forms.map(({ type, title }): Choice => [type, title]), [OTHER, otherForm(OTHER).title]]
}

/** The types by which a list can be filtered. */
export const FILTER_TYPES: readonly string[] = FORMS.map(({ type }) => type)
