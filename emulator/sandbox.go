package emulator

import (
	"context"
	"errors"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

// Secret is an API secret that the server accepts.
type Secret struct {
	Value string
	Tier  engine.Tier
	Other bool // whether it belongs to the sandbox's second user
}

// SandboxSecrets returns the public secrets of a sandbox on a loopback address. They are fixed, so that examples can be copied.
// The real service rejects their prefix.
func SandboxSecrets() []Secret {
	return []Secret{
		{Value: "sk_sandbox_core", Tier: engine.TierCore},
		{Value: "sk_sandbox_automation", Tier: engine.TierAutomation},
		{Value: "sk_sandbox_platform", Tier: engine.TierPlatform},
		{Value: "sk_sandbox_none", Tier: engine.TierNone},
		{Value: "sk_sandbox_other", Tier: engine.TierPlatform, Other: true},
	}
}

// The fixed ids of the sandbox's two users and their spaces.
const (
	SandboxAccountID engine.AccountID = "00000000-0000-4000-8000-000000000010"
	SandboxUserID    engine.UserID    = "00000000-0000-4000-8000-000000000020"
	SandboxSpaceID   engine.SpaceID   = "00000000-0000-4000-8000-000000000030"
	OtherAccountID   engine.AccountID = "00000000-0000-4000-8000-000000000011"
	OtherUserID      engine.UserID    = "00000000-0000-4000-8000-000000000021"
	OtherSpaceID     engine.SpaceID   = "00000000-0000-4000-8000-000000000031"
)

// Accounts creates the sandbox's two users if necessary, and returns them.
func Accounts(ctx context.Context, e *engine.Engine) (first, other engine.Caller, err error) {
	first, err = e.CreateAccount(ctx, engine.NewAccount{
		Name: "Sandbox", AccountID: SandboxAccountID, UserID: SandboxUserID, SpaceID: SandboxSpaceID,
	})
	if err != nil {
		return first, other, err
	}
	other, err = e.CreateAccount(ctx, engine.NewAccount{
		Name: "Other", AccountID: OtherAccountID, UserID: OtherUserID, SpaceID: OtherSpaceID,
	})
	return first, other, err
}

// servedKey is the name of the keys created for Options.Secrets. It distinguishes them from those of `soundstage keys`.
const servedKey = "(serve)"

// seedAccounts creates the users and the keys of the secrets, and revokes keys of earlier starts: a data folder of a local sandbox may now
// be served publicly.
func seedAccounts(ctx context.Context, e *engine.Engine, secrets []Secret) error {
	first, other, err := Accounts(ctx, e)
	if err != nil {
		return err
	}
	var errs []error
	for _, owner := range []engine.Caller{first, other} {
		errs = append(errs, revoke(ctx, e, owner, secrets))
	}
	for _, s := range secrets {
		owner := first
		if s.Other {
			owner = other
		}
		_, _, err := e.CreateKey(ctx, owner, engine.NewKey{Name: servedKey, Tier: s.Tier, Secret: s.Value})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// revoke deletes the owner's keys of earlier starts, except those whose secret and tier are given again.
func revoke(ctx context.Context, e *engine.Engine, owner engine.Caller, secrets []Secret) error {
	keys, err := e.ListKeys(ctx, owner)
	if err != nil {
		return err
	}
	for _, k := range keys {
		again := slices.ContainsFunc(secrets, func(s Secret) bool { return engine.HashSecret(s.Value) == k.Hash && s.Tier == k.Tier })
		if k.Name != servedKey || again {
			continue
		}
		if err := e.DeleteKey(ctx, owner, k.ID); err != nil {
			return err
		}
	}
	return nil
}
