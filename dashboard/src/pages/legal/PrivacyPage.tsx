import type { SitePageData } from '@homing/openapi/site'
import { LegalPage, type LegalSection } from './LegalPage.tsx'
import { Contact, OperatorDetails, operatorName } from './OperatorDetails.tsx'
import { storedData, storedInBrowser } from './stored-data.ts'

type Privacy = SitePageData<'privacy'>

const CAPTCHA_PROVIDERS: Readonly<Partial<Record<Privacy['captcha'], string>>> = {
  turnstile: 'Turnstile of Cloudflare, Inc.',
  hcaptcha: 'hCaptcha of Intuition Machines, Inc.',
}

const WHO = (data: Privacy): LegalSection => ({
  id: 'who',
  title: 'Who is responsible',
  body: (
    <>
      <p>
        {operatorName(data)} decides what is done with your data, and answers questions about it.
      </p>
      <OperatorDetails frame={data} />
    </>
  ),
})

const WHAT = ({ retention }: Privacy): LegalSection => ({
  id: 'what',
  title: 'What is stored, why and how long',
  body: (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Stored data">
      <table className="text-table">
        <thead>
          <tr>
            <th scope="col">Data</th>
            <th scope="col">Purpose</th>
            <th scope="col">Kept until</th>
          </tr>
        </thead>
        <tbody>
          {storedData(retention).map(({ what, why, until }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{why}</td>
              <td>{until}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ),
})

const BASIS: LegalSection = {
  id: 'basis',
  title: 'Why we may do this',
  body: (
    <>
      <p>
        Account, domains, keys and notices are needed for the contract with you (GDPR, article 6,
        paragraph 1 b). Records of sign-ins, changes and calls, limits and logs protect you, others
        and the service (legitimate interest, article 6, paragraph 1 f). We do not rely on consent,
        because we do nothing that would need it.
      </p>
      <p>
        You do not have to give first and last name. Without username, email address and password
        there is no account. Nothing about you is decided by a machine alone, apart from limits such
        as “too many attempts”.
      </p>
    </>
  ),
}

const BROWSER = ({ retention, origin }: Privacy): LegalSection => ({
  id: 'cookies',
  title: 'Cookies and storage in your browser',
  body: (
    <>
      <p>
        Public pages set no cookies. The dashboard uses what is in this list, and nothing else: no
        advertising, no counting of visitors, no files from other servers.
      </p>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Cookies and storage">
        <table className="text-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col">Purpose</th>
              <th scope="col">Kept until</th>
            </tr>
          </thead>
          <tbody>
            {storedInBrowser(retention, origin.startsWith('https:')).map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <code>{row.name}</code>
                </th>
                <td>{row.kind}</td>
                <td>{row.why}</td>
                <td>{row.until}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  ),
})

const OTHERS = ({ captcha }: Privacy): LegalSection => ({
  id: 'others',
  title: 'Who else gets data',
  body: (
    <ul>
      <li>
        Anybody can query DNS for the addresses of your domains. Secondary name servers that we use
        get copies of the zones.
      </li>
      <li>Mail goes through our mail server to the provider of your address.</li>
      {CAPTCHA_PROVIDERS[captcha] === undefined ? (
        <li>
          The CAPTCHA is computed by your own browser and checked here. No third party is asked.
        </li>
      ) : (
        <li>
          The CAPTCHA of registration and sign-in is {CAPTCHA_PROVIDERS[captcha]}. Your browser
          loads its script from there, so the provider learns your IP address and data about your
          browser.
        </li>
      )}
      <li>
        If you set up a trusted pipeline, we load the public keys of the issuer that you name. The
        request contains nothing about you.
      </li>
      <li>Courts and authorities get what the law obliges us to give, and no more.</li>
      <li>We sell nothing, and there is no advertising network.</li>
    </ul>
  ),
})

const ADMINISTRATORS: LegalSection = {
  id: 'administrators',
  title: 'Who can see it here',
  body: (
    <p>
      Administrators see username, name, email address, plan, domains and the last sign-in of an
      account. They do not see passwords, keys, the list of your sign-ins, or update calls. What an
      administrator does to your domains is in their history.
    </p>
  ),
}

const RIGHTS = ({ operator }: Privacy): LegalSection => ({
  id: 'rights',
  title: 'Your rights',
  body: (
    <ul>
      <li>
        <strong>See and take away:</strong> an export contains everything that is stored about you,
        as one file, on every plan.
      </li>
      <li>
        <strong>Correct:</strong> you can change your name and email address yourself.
      </li>
      <li>
        <strong>Delete:</strong> you can delete domains, keys, sessions and the whole account
        yourself.
      </li>
      <li>
        <strong>Restrict and object:</strong> write to{' '}
        <Contact operator={operator} kind="support" />. A person answers within a month.
      </li>
      <li>
        <strong>Complain:</strong> to the data protection authority where you live or where we are.
      </li>
    </ul>
  ),
})

const SAFETY: LegalSection = {
  id: 'security',
  title: 'How it is protected',
  body: (
    <p>
      Passwords are hashed, tokens and keys are stored as digests, secrets of authenticator apps are
      encrypted. You get a mail about every change that could give somebody else your account. If
      data is lost to others, we tell you and the authority as the law requires. Report a
      vulnerability to the contact in <a href="/.well-known/security.txt">security.txt</a>.
    </p>
  ),
}

/** The privacy policy. The retention comes from the constants of the service. A change of the rules is a new version. */
export function PrivacyPage(data: Privacy) {
  const sections = [
    WHO(data),
    WHAT(data),
    BASIS,
    BROWSER(data),
    OTHERS(data),
    ADMINISTRATORS,
    RIGHTS(data),
    SAFETY,
  ]
  const summary = (
    <p>
      In short: we store what the service needs to work and what protects your account. No
      advertising, no tracking, nothing is sold. You can export and delete your data yourself.
    </p>
  )
  return <LegalPage title="Privacy Policy" summary={summary} sections={sections} />
}
