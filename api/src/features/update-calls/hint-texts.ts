import type { UpdateHint } from '@homing/openapi'

/** The texts for the owner of a domain about a call: what is wrong, and what to do. */
export const HINT_TEXTS: Readonly<Record<UpdateHint, string>> = {
  'account-password-in-url':
    'The URL contained the password of your account. URLs end up in logs, so the service did not try the password. Put the update token of this domain into the URL, or use the fields for username and password.',
  'account-password-refused':
    'The device sends the password of your account. The password is correct, but update URLs do not accept it because your account has a second factor. Create the update token of this domain, or an API key, and enter it in the device instead of the password.',
  'key-expired':
    'The API key has expired. Create another one, or the update token of this domain, and enter it in the device.',
  'key-action':
    'The API key is not allowed to update. Create one with the action “update”, or use the update token of this domain.',
  'key-network':
    'The API key is not allowed from the network of the call. If the network is yours, create a key whose scope includes it.',
  'key-domain':
    'The scope of the API key does not include all domains of the call. Create a key whose scope includes this domain too, or use the update token of each domain.',
  'key-record-type':
    'The API key is not allowed to set addresses of this family. Create one that is allowed to set A and AAAA records, or configure the device to send only the other family.',
  'two-urls-in-one':
    'The device sent two URLs as one. Its field does not support two update URLs: keep only the first one.',
  'template-not-filled':
    'The device sent a placeholder of the URL, such as <ipaddr> or %i, without replacing it. Look up the placeholders of your model.',
  'name-appended-to-address':
    'The device sent the domain and the address as one text. A parameter name is missing in the URL: the URL must end in hostname=…&myip=…, each with its placeholder.',
  'prefix-sent-as-address':
    'The device sent an IPv6 prefix instead of an address. The domain got the new prefix and kept its interface identifier.',
  'related-name-not-reached':
    'Another domain in the call should get the IPv6 prefix, but it does not exist or the credentials have no access to it. An update token works only for its own domain; use an API key.',
  'wildcard-not-in-plan':
    'The device requested a wildcard, which your plan does not include. The address was updated without the wildcard.',
  'paid-parameter-ignored':
    'The device sent a setting of other services (mx, backmx or url). It was ignored because it has no effect here.',
  forwarded:
    'The call had no new address. A domain of the call has a web forward, so DNS publishes the addresses of the forwarding servers. Devices that compare DNS with their own address, such as the FRITZ!Box, therefore send again and again. This does no harm: the service has stored the address, and DNS publishes it when the forward ends.',
  'not-encrypted':
    'The call came over HTTP, so others on the network path can read its credentials. Use https:// in the device if possible.',
  'account-password':
    'The device uses the password of your account, which gives access to everything. Create the update token of this domain and enter it instead: if the device is stolen, only one domain is exposed.',
}
