package engine

import (
	"context"
	"slices"
)

// MemberRole is what a member of a space may do.
type MemberRole string

const (
	RoleOwner  MemberRole = "owner"  // may also change who belongs to the space
	RoleMember MemberRole = "member" // may use the space
)

// Member is a user of a space.
type Member struct {
	User User
	Role MemberRole
}

// RoleOf returns the role of a member. A space without Owners is an earlier one, in which every member is an owner.
func (s Space) RoleOf(id UserID) MemberRole {
	if len(s.Owners) == 0 || slices.Contains(s.Owners, id) {
		return RoleOwner
	}
	return RoleMember
}

// ListMembers returns the members of a space that the caller belongs to, by the ids of the users. Errors: CodeNotFound.
func (e *Engine) ListMembers(ctx context.Context, c Caller, space SpaceID) (members []Member, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		s, err := memberSpace(tx, c, space)
		if err != nil {
			return err
		}
		ids, err := tx.Members(space)
		if err != nil {
			return err
		}
		members = nil
		for _, id := range ids {
			u, err := tx.User(id)
			if err != nil {
				return err
			}
			members = append(members, Member{u, s.RoleOf(id)})
		}
		return nil
	})
	return members, wrap("ListMembers", err)
}

// SetMember makes a user of any account a member of a space, or changes the role of a member. The caller must be an owner. Errors:
// CodeInvalid (the role), CodeNotFound (the space or the user), CodeForbidden, CodeConflict (the space would have no owner).
func (e *Engine) SetMember(ctx context.Context, c Caller, space SpaceID, user UserID, role MemberRole) error {
	const op = "SetMember"
	if role != RoleOwner && role != RoleMember {
		return Errorf(CodeInvalid, op, "Role %q does not exist.", role).WithHint("Use owner or member.")
	}
	return wrap(op, e.store.Update(ctx, func(tx Tx) error {
		s, err := ownedSpace(tx, c, space)
		if err != nil {
			return err
		}
		if _, err := tx.User(user); err != nil {
			return err
		}
		s.Owners = slices.DeleteFunc(s.Owners, func(id UserID) bool { return id == user })
		if role == RoleOwner {
			s.Owners = append(s.Owners, user)
			slices.Sort(s.Owners)
		}
		if len(s.Owners) == 0 {
			return lastOwner(s)
		}
		if err := tx.PutSpace(s); err != nil {
			return err
		}
		return tx.AddMember(space, user)
	}))
}

// RemoveMember removes a member from a space. The caller must be an owner, or the member itself. Errors: CodeNotFound (the space or the
// member), CodeForbidden, CodeConflict (the space would have no owner).
func (e *Engine) RemoveMember(ctx context.Context, c Caller, space SpaceID, user UserID) error {
	const op = "RemoveMember"
	return wrap(op, e.store.Update(ctx, func(tx Tx) error {
		s, err := memberSpace(tx, c, space)
		if err == nil && user != c.UserID {
			s, err = ownedSpace(tx, c, space)
		}
		if err != nil {
			return err
		}
		ids, err := tx.Members(space)
		if err != nil {
			return err
		}
		if !slices.Contains(ids, user) {
			return NotFound("", "member")
		}
		return leaveSpace(tx, s, user)
	}))
}

// ownedSpace is memberSpace for changes of members: CodeForbidden unless the caller is an owner. The space has its Owners.
func ownedSpace(tx Tx, c Caller, id SpaceID) (Space, error) {
	s, err := memberSpace(tx, c, id)
	if err != nil {
		return Space{}, err
	}
	if s.RoleOf(c.UserID) != RoleOwner {
		return Space{}, Errorf(CodeForbidden, "", "Only an owner of the space may change its members.")
	}
	return s, fixOwners(tx, &s)
}

// fixOwners writes the owners of an earlier space: all its members.
func fixOwners(tx Tx, s *Space) error {
	if len(s.Owners) > 0 {
		return nil
	}
	var err error
	if s.Owners, err = tx.Members(s.ID); err != nil {
		return err
	}
	return tx.PutSpace(*s)
}

// leaveSpace removes a member of a space. CodeConflict if it is the only owner.
func leaveSpace(tx Tx, s Space, user UserID) error {
	if err := fixOwners(tx, &s); err != nil {
		return err
	}
	if slices.Contains(s.Owners, user) {
		if len(s.Owners) == 1 {
			return lastOwner(s)
		}
		s.Owners = slices.DeleteFunc(s.Owners, func(id UserID) bool { return id == user })
		if err := tx.PutSpace(s); err != nil {
			return err
		}
	}
	return tx.RemoveMember(s.ID, user)
}

func lastOwner(s Space) error {
	return Errorf(CodeConflict, "", "The space %q would have no owner.", s.Name).WithHint("Make another member its owner first.")
}
