export * from './account-export.ts'
export * from './account.ts'
export * from './accounts.ts'
export * from './admin-domains.ts'
export * from './admin-plans.ts'
export * from './admin-queries.ts'
export * from './admin-uptime.ts'
export * from './admin-users.ts'
export * from './admin-web-forwards.ts'
export * from './api-keys.ts'
export * from './captcha.ts'
export * from './deleted-domains.ts'
export * from './dns-analytics.ts'
export * from './domain-history.ts'
export * from './domain-batches.ts'
export * from './domain-export.ts'
export * from './domains.ts'
export * from './blocked-targets.ts'
export * from './locked-names.ts'
export { TaxRate, TaxRateTerms } from './tax-rates.ts'
export * from './login.ts'
export { Notice } from './notices.ts'
export {
  AdminOwnZone,
  DelegationCheck,
  DelegationFact,
  NameServerAddress,
  NewOwnZone,
  OwnershipTask,
  OwnZone,
  ParentServerAnswer,
  VanitySetup,
  VanityStatus,
  VanityVerification,
  ZoneDeletion,
} from './own-zones.ts'
export * from './passkeys.ts'
export {
  AdminLedgerEntry,
  AdminLedgerTotal,
  AdminPaymentEvent,
  AdminRefund,
  AdminSubscription,
} from './admin-payments.ts'
export {
  BillingDetails,
  Checkout,
  CheckoutUrl,
  Invoice,
  InvoiceLine,
  NewCheckout,
  NewSimpleCheckout,
  PaymentMessage,
  PlanChange,
  PlanChangePreview,
  PlanChangeResult,
  RefundResult,
  Subscription,
  SubscriptionStatus,
} from './payments.ts'
export { Plan, PlanPreview, PreviewedName } from './plans.ts'
export {
  AdminRecord,
  DnsRecord,
  NewRecord,
  RecordBatch,
  RecordBatchChange,
  RecordBatchCreate,
  RecordBatchDelete,
  RecordBatchResult,
  RecordChange,
  RecordDomain,
  RecordSettings,
  RecordUsage,
  RecordVerdict,
  ZoneFileImport,
  ZoneFileProblem,
  ZoneFileResult,
} from './records.ts'
export { NameServerCheck, Propagation } from './propagation.ts'
export * from './stream.ts'
export * from './system.ts'
export * from './trust-policies.ts'
export * from './two-factor.ts'
export * from './update-calls.ts'
export * from './update-tokens.ts'
export * from './uptime-signals.ts'
export * from './uptime.ts'
export {
  NewWebForward,
  SavedWebForward,
  TargetCheck,
  TargetHop,
  TargetQuestion,
  WebForward,
  WebForwardChange,
  WebForwardSettings,
  WebForwardUsage,
} from './web-forwards.ts'
export * from './zones.ts'
export * from './zone-history.ts'
