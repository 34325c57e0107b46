package queue

// pool is the workers of a class.
type pool struct {
	workers int
	busy    int
	most    int            // the highest busy since countBusy
	of      map[string]int // busy workers by tenant, without tenants that have none
}

func newPools(workers map[Class]int) map[Class]*pool {
	pools := map[Class]*pool{}
	for class, n := range workers {
		pools[class] = &pool{workers: n, of: map[string]int{}}
	}
	return pools
}

func (p *pool) take(tenant string) {
	p.busy++
	p.most = max(p.most, p.busy)
	p.of[tenant]++
}

func (p *pool) release(tenant string) {
	p.busy--
	if p.of[tenant]--; p.of[tenant] == 0 {
		delete(p.of, tenant)
	}
}

// open reports whether another job may start. If holder is not nil, the job must be of another tenant.
//
// One tenant may have all workers. While it does, there is one more worker for jobs of other tenants, so that they never wait for
// the end of its jobs. To keep one worker free instead would cost a program with one tenant and two workers half its throughput.
// A class of one worker stays sequential.
func (p *pool) open() (ok bool, holder *string) {
	if p.busy < p.workers {
		return true, nil
	}
	if p.workers < 2 || len(p.of) > 1 {
		return false, nil
	}
	for tenant := range p.of {
		holder = &tenant
	}
	return true, holder
}
