/** The table of devices and the answers of update URLs as Markdown, for the guide for routers. */
import { UPDATE_ANSWERS } from './answers.ts'
import type { Device, DeviceField, DeviceFile, DeviceSetup } from './device.ts'
import { chooseByTls } from './fill-in.ts'
import { DEVICES, deviceOf } from './index.ts'

/** The placeholders stay. */
const shown = (template: string) => chooseByTls(template, true)

/** The anchor of a heading, as code hosts make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const cell = (text: string) => text.replaceAll('|', '\\|')

function fieldTable(fields: readonly DeviceField[]): string {
  const rows = fields.map(({ label, value, isChoice }) =>
    isChoice === true
      ? `| ${label} | ${cell(shown(value))} |`
      : `| ${label} | \`${cell(shown(value))}\` |`,
  )
  return ['| field | |', '| --- | --- |', ...rows].join('\n')
}

const fileText = ({ name, use, language, content }: DeviceFile) =>
  `\`${name}\`: ${use}\n\n\`\`\`${language}\n${shown(content)}\`\`\``

const setupText = ({ fields = [], files = [] }: DeviceSetup): string[] => [
  ...(fields.length === 0 ? [] : [fieldTable(fields)]),
  ...files.map(fileText),
]

/** The dual-stack settings without the parts that are the same. */
function dualText({ setup, dualSetup }: Device): string[] {
  if (dualSetup === undefined) return []
  const isNew = <Part>(part: Part, known: readonly Part[] = []) =>
    !known.some((each) => JSON.stringify(each) === JSON.stringify(part))
  const rest = {
    ...dualSetup,
    fields: dualSetup.fields?.filter((each) => isNew(each, setup?.fields)) ?? [],
    files: dualSetup.files?.filter((each) => isNew(each, setup?.files)) ?? [],
  }
  return ['With IPv4 and IPv6, instead:', ...setupText(rest)]
}

function deviceText(device: Device): string {
  const { name, menu, setup, notes, instead = [] } = device
  const others = instead
    .map((id) => deviceOf(id)?.name ?? id)
    .map((other) => `[${other}](#${anchorOf(other)})`)
  return [
    `### ${name}`,
    ...(menu === undefined ? [] : [`${menu}.`]),
    ...(setup === undefined ? [] : setupText(setup)),
    ...dualText(device),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    ...(others.length === 0 ? [] : [`These can do it instead: ${others.join(', ')}.`]),
  ].join('\n\n')
}

/** The section “Devices”, with its heading. */
export function devicesText(): string {
  const links = DEVICES.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(' · ')
  return `## Devices

\`SERVICE\` is the host of the service, \`NAME\` your domain, \`TOKEN\` its update token. The dashboard shows the same settings with your own values, ready to
copy and to download: “How to Update” of the domain.

${links}

${DEVICES.map(deviceText).join('\n\n')}
`
}

/** The table of the section “The answers”. */
export function answersTable(): string {
  const rows = UPDATE_ANSWERS.map(({ codes, example, status, meaning, action }) => {
    const answer = example === undefined ? codes : [example]
    const cells = [answer.map((code) => `\`${code}\``).join(', '), status, meaning, action]
    return `| ${cells.join(' | ')} |`
  })
  return ['| answer | HTTP | meaning | what to do |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}
