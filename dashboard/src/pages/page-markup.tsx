import type { SitePageData, SitePageName } from '@homing/openapi/site'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PageAssets } from './assets.ts'
import { Document } from './Document.tsx'
import { ErrorPage } from './ErrorPage.tsx'
import { LandingPage } from './landing/LandingPage.tsx'
import { PrivacyPage } from './legal/PrivacyPage.tsx'
import { TermsPage } from './legal/TermsPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PricingPage } from './pricing/PricingPage.tsx'

interface PageKind<Page extends SitePageName> {
  readonly Component: ComponentType<SitePageData<Page>>
  readonly title: (data: SitePageData<Page>) => string
  readonly description?: (data: SitePageData<Page>) => string
  /** The scripts that the page loads beside the one of all pages. */
  readonly islands?: readonly (keyof PageAssets)[]
}

const PAGES: { readonly [Page in SitePageName]: PageKind<Page> } = {
  landing: {
    Component: LandingPage,
    title: ({ productName }) => `${productName}: dynamic DNS`,
    description: ({ productName }) =>
      `${productName} is dynamic DNS: a domain that always leads to your current IP address.`,
    islands: ['landing'],
  },
  pricing: {
    Component: PricingPage,
    title: () => 'Pricing',
    description: ({ productName }) => `The plans of ${productName}, what they include and cost.`,
    islands: ['pricing'],
  },
  terms: {
    Component: TermsPage,
    title: () => 'Terms of Service',
    description: ({ productName }) => `The terms of ${productName}, in plain language.`,
  },
  privacy: {
    Component: PrivacyPage,
    title: () => 'Privacy Policy',
    description: ({ productName }) => `What ${productName} stores about you, why and how long.`,
  },
  'not-found': { Component: NotFoundPage, title: () => 'Page not found' },
  error: { Component: ErrorPage, title: ({ title }) => title },
}

/** The HTML of a page. @param assets the files that it loads */
export function pageMarkup<Page extends SitePageName>(
  page: Page,
  data: SitePageData<Page>,
  assets: PageAssets,
): string {
  const { Component, title, description, islands = [] } = PAGES[page] as PageKind<Page>
  const name = title(data)
  const markup = renderToStaticMarkup(
    <Document
      frame={data}
      page={page}
      title={page === 'landing' ? name : `${name} · ${data.productName}`}
      description={description?.(data)}
      assets={assets}
      islands={islands}
    >
      {createElement(Component as ComponentType<object>, data)}
    </Document>,
  )
  return `<!doctype html>${markup}`
}
