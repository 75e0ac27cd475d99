import type { UpdateHint } from '@homing/openapi'

/** What the owner of a name reads about a call: what is wrong, and what to do. */
export const HINT_TEXTS: Readonly<Record<UpdateHint, string>> = {
  'account-password-in-url':
    'The password of your account was in the URL, where it ends up in logs, so it was not tried. Put the update token of this name there, or use the fields for user name and password.',
  'account-password-refused':
    'The device sends the password of your account, which is right and taken here no more since your account has a second factor: a password alone would get around it. Make the update token of this name, or an API key, and put it into the device in place of the password.',
  'key-expired':
    'The API key that was sent has ended. Make another one, or the update token of this name, and put it into the device.',
  'key-action':
    'The API key that was sent may not update. Make one that may, or use the update token of this name.',
  'key-network':
    'The API key that was sent is not taken from the network that the call came from. If that network is yours, make a key that is for it.',
  'key-domain':
    'The API key that was sent is not for every name that was asked for. Make a key that reaches this one too, or use the update token of each name.',
  'key-record-type':
    'The API key that was sent may not set addresses of this family. Make one that may set A and AAAA, or let the device send the other family alone.',
  'two-urls-in-one':
    'Two URLs arrived as one. The device does not take two update URLs in its field: keep the first alone.',
  'template-not-filled':
    'A placeholder of the URL arrived as it is written, such as <ipaddr> or %i. The device does not know it: look up how this model spells its placeholders.',
  'name-appended-to-address':
    'The name arrived glued to the address. The URL in the device lacks a parameter’s name: it has to end in hostname=…&myip=…, each with its placeholder.',
  'prefix-sent-as-address':
    'A whole IPv6 network was sent where an address belongs. The network was taken over and the host part of this name was kept.',
  'related-name-not-reached':
    'A further name was to follow the IPv6 network, and does not exist or is not reached by these credentials. An update token reaches its own name alone; use an API key.',
  'wildcard-not-in-plan':
    'The device asked for a wildcard, which your plan does not hold. The address was updated; the wish was passed over.',
  'paid-parameter-ignored':
    'The device sent a setting that other services sell (mx, backmx or url). It means nothing here and was passed over.',
  'not-encrypted':
    'The call came over HTTP, so that whoever is on the way can read its credentials. Use https:// in the device if it can.',
  'account-password':
    'The device holds the password of your account, which is more than it needs. Make the update token of this name and put it there instead: whoever gets hold of the device then has one name alone.',
}
