/** The service's name, and its outgoing mail. */
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import { firstZone } from './zones.ts'

const SMTP_URL = 'a URL such as smtp://user:password@host:587 or smtps://host'

export const product = configGroup(['PRODUCT_NAME'], (variables) => {
  const takes = "a name of at most 40 letters, digits, spaces and . & ' + -"
  /** The service's name in mail and on its pages. */
  return { productName: variables.value('PRODUCT_NAME', takes, parse.productName, 'Homing') }
})

export const outgoingMail = configGroup(
  ['NODE_ENV', 'ZONES', 'PRODUCT_NAME', 'SMTP_URL', 'MAIL_FROM'],
  (variables) => {
    const smtpUrl = variables.secret('SMTP_URL', SMTP_URL, parse.urlOf('smtp:', 'smtps:'))
    if (smtpUrl === undefined && isProduction(variables)) {
      throw new ConfigError('SMTP_URL', undefined, `${SMTP_URL} with NODE_ENV=production`)
    }
    const { productName } = product.read(variables)
    return {
      /** Undefined: mail goes to the local mailbox. */
      smtpUrl,
      mailFrom: variables.value(
        'MAIL_FROM',
        'Name <address@example.net>, or only an address',
        parse.mailbox,
        `${productName} <no-reply@${firstZone(variables)}>`,
      ),
    }
  },
)

export const securityContact = configGroup(
  ['NODE_ENV', 'ZONES', 'SECURITY_CONTACT'],
  (variables) => ({
    /** URL for reports of vulnerabilities. */
    securityContact: variables.value(
      'SECURITY_CONTACT',
      'a URL such as mailto:security@example.net, or one that begins with https:// or tel:+',
      parse.contactUrl,
      `mailto:security@${firstZone(variables)}`,
    ),
  }),
)
