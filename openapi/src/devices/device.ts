/**
 * The form of the table of devices: what a person enters in a router, or gives a program, so that it keeps a domain current.
 *
 * Texts contain placeholders, which `fillIn` replaces: `SERVICE` is the host of the service, `NAME` the domain, `TOKEN` its
 * update token. `‹yes|no›` is `yes` if the service has HTTPS. Text in backticks is code. Everything else in a value, such as
 * `<ipaddr>` or `%i`, is a placeholder that the device itself fills in.
 */

/** A field of the device's form, with the label and in the order of the device. */
export interface DeviceField {
  readonly label: string
  readonly value: string
  /** The value is chosen in a list or with a check box, and not typed. */
  readonly isChoice?: true
}

/** A configuration file or a script. */
export interface DeviceFile {
  /** The name of the downloaded file. */
  readonly name: string
  /** Where it belongs, and how it is used. */
  readonly use: string
  /** The language of the content, for code blocks. */
  readonly language: 'ini' | 'powershell' | 'sh' | 'text' | 'yaml'
  readonly content: string
}

/** How the device sends user name and password. `url`: they are in its URL. */
export type CredentialsIn = 'basic' | 'bearer' | 'url'

/** The settings for some address families. */
export interface DeviceSetup {
  readonly fields?: readonly DeviceField[]
  readonly files?: readonly DeviceFile[]
  readonly credentialsIn: CredentialsIn
  /**
   * The path and query that the device requests, if no field or file contains it as a whole. `<ipv4>` and `<ipv6>` are the
   * addresses of the device.
   */
  readonly requests?: string
}

export interface Device {
  /** Part of URLs; never changes. */
  readonly id: string
  readonly name: string
  readonly kind: 'program' | 'router' | 'storage'
  /** Further words by which people search for it. */
  readonly words: readonly string[]
  /** The way to the form in the device's menus. */
  readonly menu?: string
  /** Undefined for a device that cannot be told another service. */
  readonly setup?: DeviceSetup
  /** The settings for IPv4 and IPv6, if they differ. */
  readonly dualSetup?: DeviceSetup
  /** What differs from other devices. Each note is a sentence or a few. */
  readonly notes: readonly string[]
  /** The ids of devices that can do it instead. */
  readonly instead?: readonly string[]
  /** The `User-Agent` of the device. */
  readonly agent?: RegExp
}

export const choice = (label: string, value: string): DeviceField => ({
  label,
  value,
  isChoice: true,
})
export const field = (label: string, value: string): DeviceField => ({ label, value })
