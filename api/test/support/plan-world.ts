/** Plans that a test changes; each test begins with the original plans. */
import type { AdminPlan, AdminPlanChange, AdminPlanPreview } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'vitest'
import { publishDomains } from '../../src/feed/publish.ts'
import { query } from '../../src/database/sql.ts'
import { call, type Reply } from './calls.ts'
import { zoneId } from './feed-world.ts'
import { KeepingMailer, runJobs } from './mail.ts'
import { type AdminWorld, useAdminWorld } from './admin-world.ts'

type PlanId = AdminPlan['id']

export class PlanWorld {
  readonly adminWorld: AdminWorld

  constructor(adminWorld: AdminWorld) {
    this.adminWorld = adminWorld
  }

  get knex() {
    return this.adminWorld.world.knex
  }

  async put(
    plan: PlanId,
    change: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return call(this.adminWorld.world.app, 'PUT', `/api/admin/plans/${plan}`, {
      headers: { ...this.adminWorld.admin.headers, ...headers },
      body: change,
    })
  }

  /** Changes a plan, and runs the job that follows to its end. */
  async settle(plan: PlanId, change: AdminPlanChange): Promise<void> {
    const reply = await this.put(plan, change)
    assert.equal(reply.status, 200, reply.text)
    await this.runJobs()
  }

  async runJobs() {
    return runJobs(this.adminWorld.world.services, new KeepingMailer())
  }

  async preview(plan: PlanId, change: AdminPlanChange): Promise<AdminPlanPreview> {
    const reply = await call(
      this.adminWorld.world.app,
      'POST',
      `/api/admin/plans/${plan}/preview`,
      {
        headers: this.adminWorld.admin.headers,
        body: change,
      },
    )
    assert.equal(reply.status, 200, reply.text)
    return reply.json<AdminPlanPreview>()
  }

  /** At most 500 published names of an account, the oldest first, all in the state that the plan pro gives them. */
  async addNames(userId: string, count: number): Promise<string[]> {
    const rows = await query<{ id: string; fqdn: string }>(
      this.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl, created_at)
       select ?, ?, 'n' || n || '.u' || ? || '.homing.test', 'A', '192.0.2.1', 60, now() + n * interval '1 s'
       from generate_series(0, ? - 1) n order by n returning id, fqdn`,
      [userId, await zoneId(this.knex), userId, count],
    )
    const ids = rows.map(({ id }) => id)
    await this.knex.transaction((trx) => publishDomains(trx, ids))
    return rows.map(({ fqdn }) => fqdn)
  }

  async servedOf(userId: string): Promise<string[]> {
    const rows = await query<{ fqdn: string }>(
      this.knex,
      'select fqdn from domains where user_id = ? and is_active order by created_at, id',
      [userId],
    )
    return rows.map(({ fqdn }) => fqdn)
  }
}

/** The world of a file of tests. Each test has a new account on the plan pro, `adminWorld.ada`. */
export function usePlanWorld(): PlanWorld {
  const plans = new PlanWorld(useAdminWorld('pro'))
  beforeEach(async () => {
    await query(plans.knex, 'create table if not exists plans_before as table plans')
  })
  afterEach(async () => {
    await query(
      plans.knex,
      `update plans p
       set (domain_limit, ttl_seconds, stealth_flag_limit, monitor_interval, abilities, version, updated_at) =
         (select domain_limit, ttl_seconds, stealth_flag_limit, monitor_interval, abilities, 1, null::timestamptz from plans_before b
          where b.account_type = p.account_type)`,
    )
    // Their names stay as they are in DNS, and belong to a plan that no test changes.
    await query(
      plans.knex,
      `update users set account_type = 'disabled' where account_type <> 'admin'`,
    )
    await query(plans.knex, 'delete from pgboss.job')
  })
  return plans
}
