package api

import (
	"math"
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

type wireUsage struct {
	PlanStatus string      `json:"plan_status"`
	APITier    engine.Tier `json:"api_tier"`
	Usage      wireMinutes `json:"usage"`
	Storage    wireStorage `json:"storage"`
}

type wireMinutes struct {
	Unit        string   `json:"unit"`
	Used        int64    `json:"used"`
	Limit       *int64   `json:"limit"`
	Unlimited   bool     `json:"unlimited"`
	Cumulative  bool     `json:"cumulative"`
	Percentage  *float64 `json:"percentage"`
	PeriodStart string   `json:"period_start"`
	PeriodEnd   string   `json:"period_end"`
}

type wireStorage struct {
	UsedBytes      int64    `json:"used_bytes"`
	SoftLimitBytes int64    `json:"soft_limit_bytes"`
	HardLimitBytes int64    `json:"hard_limit_bytes"`
	Unlimited      bool     `json:"unlimited"`
	Percentage     *float64 `json:"percentage"`
}

// getUsage handles GET /v1/usage. Used minutes are rounded up.
func (a *api) getUsage(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	u, err := a.engine.GetUsage(req.Context(), c)
	if err != nil {
		return err
	}
	out := wireUsage{
		PlanStatus: u.PlanStatus, APITier: u.Tier,
		Usage: wireMinutes{
			Unit: "minute", Used: startedMinutes(u.Speech), Unlimited: u.SpeechLimit == 0,
			PeriodStart: timestamp(u.PeriodStart), PeriodEnd: timestamp(u.PeriodEnd),
		},
		Storage: wireStorage{
			UsedBytes: u.StorageUsed, SoftLimitBytes: u.StorageSoftLimit, HardLimitBytes: u.StorageHardLimit,
			Percentage: percentage(float64(u.StorageUsed), float64(u.StorageSoftLimit)),
		},
	}
	if u.SpeechLimit > 0 {
		limit := int64(u.SpeechLimit / time.Minute)
		out.Usage.Limit, out.Usage.Percentage = &limit, percentage(float64(out.Usage.Used), float64(limit))
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// startedMinutes returns the number of started minutes.
func startedMinutes(d time.Duration) int64 { return int64((d + time.Minute - 1) / time.Minute) }

// percentage returns used/limit in percent with one decimal, or nil without a limit.
func percentage(used, limit float64) *float64 {
	if limit <= 0 {
		return nil
	}
	p := math.Round(used/limit*1000) / 10
	return &p
}
