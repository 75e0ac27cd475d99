/**
 * Devices and programs that keep a domain current, and what people enter in them: one table for the dashboard, the guide and the
 * CLI. The facts come from the sources and manuals of the devices and from recorded requests. A fact without a source is left out.
 */
import { DDCLIENT, DOCKER, HOME_ASSISTANT, INADYN } from './clients.ts'
import type { Device } from './device.ts'
import { ASUS, EDGEROUTER, MIKROTIK, OPENWRT } from './router-scripts.ts'
import {
  ANY_ROUTER,
  DDWRT,
  FRITZBOX,
  NETGEAR,
  OPNSENSE,
  PFSENSE,
  SPEEDPORT,
  TPLINK,
  UNIFI,
} from './routers.ts'
import { CRON, CURL, GITHUB_ACTIONS, SYSTEMD, WINDOWS } from './scripts.ts'
import { QNAP, SYNOLOGY } from './storage.ts'

export { type UpdateAnswer, UPDATE_ANSWERS, UPDATE_PATHS } from './answers.ts'
export type { Device, DeviceField, DeviceFile, DeviceSetup } from './device.ts'
export { reactionTo } from './reactions.ts'
export { fillIn, holdsToken, UNKNOWN_TOKEN, type UpdateSettings } from './fill-in.ts'

/** The most common ones first. */
export const DEVICES: readonly Device[] = [
  FRITZBOX,
  UNIFI,
  OPENWRT,
  OPNSENSE,
  PFSENSE,
  MIKROTIK,
  SYNOLOGY,
  DDCLIENT,
  CRON,
  ANY_ROUTER,
  CURL,
  SPEEDPORT,
  QNAP,
  DDWRT,
  EDGEROUTER,
  ASUS,
  TPLINK,
  NETGEAR,
  INADYN,
  SYSTEMD,
  WINDOWS,
  DOCKER,
  HOME_ASSISTANT,
  GITHUB_ACTIONS,
]

export const deviceOf = (id: string): Device | undefined =>
  DEVICES.find((device) => device.id === id)

/** `FRITZ!Box` and `fritz box` are the same. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The devices whose name, kind or search words contain each word of the search text; all for an empty text. */
export function findDevices(search: string): readonly Device[] {
  const wanted = search.split(/\s+/).map(plain)
  return DEVICES.filter(({ name, words, kind }) => {
    const text = [name, kind, ...words].map(plain).join(' ')
    return text.includes(plain(search)) || wanted.every((word) => text.includes(word))
  })
}

/** The name of the program that sends a `User-Agent`: `Fritz!Box DDNS/1.0.1` is a FRITZ!Box. Unknown ones unchanged. */
export function clientName(userAgent: string): string {
  return DEVICES.find(({ agent }) => agent?.test(userAgent) === true)?.name ?? userAgent
}
