package main

import "slices"

// A labelSelector is one as the machine-config controllers read it: nil and empty match nothing.
type labelSelector struct {
	MatchLabels      map[string]string
	MatchExpressions []struct {
		Key, Operator string
		Values        []string
	}
}

func (s *labelSelector) isEmpty() bool {
	return s == nil || len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0
}

func (s *labelSelector) matches(labels map[string]string) bool {
	if s.isEmpty() {
		return false
	}
	for key, wanted := range s.MatchLabels {
		if value, present := labels[key]; !present || value != wanted {
			return false
		}
	}
	for _, expression := range s.MatchExpressions {
		value, present := labels[expression.Key]
		listed := present && slices.Contains(expression.Values, value)
		var met bool
		switch expression.Operator {
		case "In":
			met = listed
		case "NotIn":
			met = !listed // also where the label is missing
		case "Exists":
			met = present
		case "DoesNotExist":
			met = !present
		}
		if !met {
			return false
		}
	}
	return true
}
