/** The sections of the navigation. It lists only pages that exist. */
import type { SvgIconComponent } from '@mui/icons-material'
import AccountBalanceOutlined from '@mui/icons-material/AccountBalanceOutlined'
import BarChartOutlined from '@mui/icons-material/BarChartOutlined'
import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CreditCardOutlined from '@mui/icons-material/CreditCardOutlined'
import DnsOutlined from '@mui/icons-material/DnsOutlined'
import LayersOutlined from '@mui/icons-material/LayersOutlined'
import ListAltOutlined from '@mui/icons-material/ListAltOutlined'
import LockOutlined from '@mui/icons-material/LockOutlined'
import MonitorHeartOutlined from '@mui/icons-material/MonitorHeartOutlined'
import PeopleOutlined from '@mui/icons-material/PeopleOutlined'
import PercentOutlined from '@mui/icons-material/PercentOutlined'
import ReceiptLongOutlined from '@mui/icons-material/ReceiptLongOutlined'
import PublicOutlined from '@mui/icons-material/PublicOutlined'
import ShortcutOutlined from '@mui/icons-material/ShortcutOutlined'

export interface SectionItem {
  readonly label: string
  /** Below `/admin`. */
  readonly path: string
  readonly icon: SvgIconComponent
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly items: readonly SectionItem[]
}

export const sections: readonly Section[] = [
  {
    id: 'users',
    title: 'User & Account Management',
    items: [
      { label: 'Users', path: '/users', icon: PeopleOutlined },
      { label: 'Plans', path: '/plans', icon: LayersOutlined },
    ],
  },
  {
    id: 'payments',
    title: 'Payments',
    items: [
      { label: 'Subscriptions', path: '/subscriptions', icon: CreditCardOutlined },
      { label: 'Payment events', path: '/payment-events', icon: ReceiptLongOutlined },
      { label: 'Ledger', path: '/ledger', icon: AccountBalanceOutlined },
      { label: 'Tax rates', path: '/tax-rates', icon: PercentOutlined },
    ],
  },
  {
    id: 'domains',
    title: 'Domain & Zone Management',
    items: [
      { label: 'Domains', path: '/domains', icon: DnsOutlined },
      { label: 'Own zones', path: '/zones', icon: PublicOutlined },
      { label: 'Records', path: '/records', icon: ListAltOutlined },
      { label: 'Web forwards', path: '/web-forwards', icon: ShortcutOutlined },
      { label: 'Blocked targets', path: '/blocked-targets', icon: BlockOutlined },
      { label: 'Monitors', path: '/monitors', icon: MonitorHeartOutlined },
      { label: 'DNS queries', path: '/dns-queries', icon: BarChartOutlined },
      { label: 'Locked names', path: '/locked-names', icon: LockOutlined },
    ],
  },
]
