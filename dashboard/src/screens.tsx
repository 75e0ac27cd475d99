/** The component of each screen. Screens that most visits do not need load when they are opened. */
import { type ComponentType, lazy } from 'react'
import type { ScreenName, ScreenProps } from './routes.ts'
import { DashboardScreen } from './screens/dashboard/DashboardScreen.tsx'
import { LoginScreen } from './screens/login/LoginScreen.tsx'

export const SCREENS: Readonly<Record<ScreenName, ComponentType<ScreenProps>>> = {
  login: LoginScreen,
  register: lazy(() => import('./screens/register/RegisterScreen.tsx')),
  'registration-success': lazy(
    () => import('./screens/registration-success/RegistrationSuccessScreen.tsx'),
  ),
  'resend-verification': lazy(
    () => import('./screens/resend-verification/ResendVerificationScreen.tsx'),
  ),
  'verify-email': lazy(() => import('./screens/verify-email/VerifyEmailScreen.tsx')),
  'forgot-password': lazy(() => import('./screens/forgot-password/ForgotPasswordScreen.tsx')),
  'reset-password': lazy(() => import('./screens/reset-password/ResetPasswordScreen.tsx')),
  'confirm-email': lazy(() => import('./screens/confirm-email/ConfirmEmailScreen.tsx')),
  dashboard: DashboardScreen,
  domain: lazy(() => import('./screens/domain/DomainScreen.tsx')),
  'deleted-domains': lazy(() => import('./screens/deleted-domains/DeletedDomainsScreen.tsx')),
  webforward: lazy(() => import('./screens/webforward/WebForwardScreen.tsx')),
  analytics: lazy(() => import('./screens/dns-queries/QueriesScreen.tsx')),
  payment: lazy(() => import('./screens/payment/PaymentScreen.tsx')),
  'payment-success': lazy(() => import('./screens/payment-success/PaymentSuccessScreen.tsx')),
  'payment-cancelled': lazy(() => import('./screens/payment-cancelled/PaymentCancelledScreen.tsx')),
  invoice: lazy(() => import('./screens/invoice/InvoiceScreen.tsx')),
  zones: lazy(() => import('./screens/own-zones/ZonesScreen.tsx')),
  'vanity-nameservers': lazy(() => import('./screens/vanity-ns/VanityScreen.tsx')),
  settings: lazy(() => import('./screens/settings/SettingsScreen.tsx')),
}
