/** What a pipeline has to contain, ready to copy. docs/guides/ci.md explains it. */
import type { TrustPolicy } from '../../../api/trust-policies.ts'
import { domainIn } from '../api-keys/secret-formats.ts'
import { providerOf } from './policy-draft.ts'

export interface Workflow {
  /** The file that it belongs to. */
  readonly file: string
  readonly text: string
}

/** A YAML string. JSON strings are YAML strings. */
const quoted = (text: string) => JSON.stringify(text)

const EXAMPLE_ADDRESS = '203.0.113.7'

const exchangeOf = ({ id }: TrustPolicy, token: string) =>
  [
    `curl -sSf "$HOMING_URL/api/trust-policies/${id}/exchange" \\`,
    `  -H 'Content-Type: application/json' -d "{\\"token\\": \\"${token}\\"}" | jq -r .key`,
  ] as const

const updateOf = ({ scope }: TrustPolicy, key: string) =>
  [
    `curl -sSf -H "Authorization: Bearer ${key}" \\`,
    `  "$HOMING_URL/nic/update?hostname=${domainIn(scope)}&myip=${EXAMPLE_ADDRESS}"`,
  ] as const

function github(policy: TrustPolicy, origin: string): string[] {
  const { audience, branch, environment } = policy
  const [exchange, rest] = exchangeOf(policy, '$token')
  const [update, target] = updateOf(policy, '$HOMING_API_KEY')
  return [
    'on:',
    '  push:',
    ...(branch === null ? [] : [`    branches: [${quoted(branch)}]`]),
    'permissions:',
    '  contents: read',
    '  id-token: write',
    'jobs:',
    '  homing:',
    '    runs-on: ubuntu-latest',
    ...(environment === null ? [] : [`    environment: ${quoted(environment)}`]),
    '    env:',
    `      HOMING_URL: ${origin}`,
    '    steps:',
    '      - name: Get an API key for 15 minutes',
    '        run: |',
    '          token=$(curl -sSf -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\',
    `            "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${encodeURIComponent(audience)}" | jq -r .value)`,
    `          key=$(${exchange}`,
    `          ${rest})`,
    '          echo "::add-mask::$key"',
    '          echo "HOMING_API_KEY=$key" >> "$GITHUB_ENV"',
    '      - name: Update the address',
    '        run: |',
    `          ${update}`,
    `          ${target}`,
  ]
}

function gitlab(policy: TrustPolicy, origin: string): string[] {
  const { audience, branch, environment } = policy
  const [exchange, rest] = exchangeOf(policy, '$HOMING_TOKEN')
  const [update, target] = updateOf(policy, '$HOMING_API_KEY')
  return [
    'homing:',
    '  image: alpine',
    ...(branch === null
      ? []
      : ['  rules:', `    - if: ${quoted(`$CI_COMMIT_BRANCH == ${quoted(branch)}`)}`]),
    ...(environment === null ? [] : [`  environment: ${quoted(environment)}`]),
    '  variables:',
    `    HOMING_URL: ${origin}`,
    '  id_tokens:',
    '    HOMING_TOKEN:',
    `      aud: ${quoted(audience)}`,
    '  script:',
    '    - apk add --no-cache curl jq',
    '    - |',
    `      HOMING_API_KEY=$(${exchange}`,
    `      ${rest})`,
    `      ${update}`,
    `      ${target}`,
  ]
}

function other(policy: TrustPolicy, origin: string): string[] {
  const [exchange, rest] = exchangeOf(policy, '$TOKEN')
  const [update, target] = updateOf(policy, '$HOMING_API_KEY')
  return [
    `HOMING_URL=${origin}`,
    `# TOKEN is the token of your issuer, with the audience ${policy.audience}`,
    `HOMING_API_KEY=$(${exchange}`,
    `${rest})`,
    update,
    target,
  ]
}

/** @param origin of the service */
export function workflowOf(policy: TrustPolicy, origin: string): Workflow {
  const provider = providerOf(policy)
  if (provider === 'github') {
    return { file: '.github/workflows/homing.yml', text: github(policy, origin).join('\n') }
  }
  return provider === 'gitlab'
    ? { file: '.gitlab-ci.yml', text: gitlab(policy, origin).join('\n') }
    : { file: 'Script', text: other(policy, origin).join('\n') }
}
