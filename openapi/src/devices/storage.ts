/** Network storage. */
import { choice, type Device, field } from './device.ts'

export const SYNOLOGY: Device = {
  id: 'synology',
  name: 'Synology',
  kind: 'storage',
  words: ['dsm', 'diskstation', 'nas'],
  menu: 'Control Panel → External Access → DDNS → Customize Provider',
  setup: {
    credentialsIn: 'url',
    fields: [
      field('Service Provider', 'Homing'),
      field(
        'Query URL',
        'https://SERVICE/nic/update?hostname=__HOSTNAME__&myip=__MYIP__&username=__USERNAME__&password=__PASSWORD__',
      ),
      field('Hostname', 'NAME'),
      field('Username/Email', 'NAME'),
      field('Password/Key', 'TOKEN'),
    ],
  },
  notes: [
    'The first two fields create the provider. Then choose Add, select the provider, and enter the other three.',
    'DSM puts the password into the URL. Never enter the password of your account here.',
  ],
}

export const QNAP: Device = {
  id: 'qnap',
  name: 'QNAP',
  kind: 'storage',
  words: ['qts', 'quts', 'nas', 'myqnapcloud'],
  menu: 'Network & Virtual Switch → DDNS → Add',
  setup: {
    credentialsIn: 'url',
    fields: [
      choice('Select DDNS server', 'Customized'),
      field('URL', 'https://SERVICE/nic/update?hostname=%HOST%&myip=%IP%&user=%USER%&pass=%PASS%'),
      field('Username', 'NAME'),
      field('Password', 'TOKEN'),
      field('Host name', 'NAME'),
    ],
  },
  notes: ['QTS puts the password into the URL. Never enter the password of your account here.'],
}
